import { useTranslation } from 'react-i18next';
import { RoleFormPage } from './RoleFormPage.tsx';

/** role-add: without an id, the form creates (S1 section 4). */
export default function AddRole() {
  const { t } = useTranslation('menu');
  return <RoleFormPage title={t('role-add')} loaded={null} />;
}
