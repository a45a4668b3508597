import { useTranslation } from 'react-i18next';
import { RoleFormPage } from './RoleFormPage.tsx';

/** role-add: without an id, the form creates (specified 2.9). */
export default function AddRole() {
  const { t } = useTranslation('menu');
  return <RoleFormPage title={t('role-add')} loaded={null} />;
}
