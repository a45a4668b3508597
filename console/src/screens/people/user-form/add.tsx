import { useTranslation } from 'react-i18next';
import { UserFormPage } from './UserFormPage.tsx';

/** user-add: without an id, the full screen creates (specified 2.9). */
export default function AddUser() {
  const { t } = useTranslation('menu');
  return <UserFormPage title={t('user-add')} loaded={null} mode="create" />;
}
