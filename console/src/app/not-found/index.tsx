import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import styles from './not-found.module.css';

/** /404: names the address that led here, and one way on. */
export default function NotFound() {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  const state: unknown = useLocation().state;
  const from = typeof state === 'object' && state !== null && 'from' in state ? String(state.from) : undefined;
  return (
    <div className={styles.page}>
      <h1>{t('notFound.title')}</h1>
      {from === undefined ? null : <p>{t('notFound.text', { path: from })}</p>}
      <Button type="primary" onClick={() => void navigate('/home')}>
        {t('notFound.home')}
      </Button>
    </div>
  );
}
