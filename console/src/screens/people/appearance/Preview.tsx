import { useTranslation } from 'react-i18next';
import { Icon } from '../../../parts/index.ts';
import { own, type AppearanceValues } from './appearance.ts';
import styles from './appearance.module.css';

/** What is typed, as the browser's tab and the sign-in page will show it. */
export function Preview({ values }: { values: AppearanceValues }) {
  const { t } = useTranslation('appearance');
  const [name, title] = [values.name.trim() || '—', values.title.trim() || '—'];
  return (
    <div className={styles.preview}>
      <h3>{t('preview.tab')}</h3>
      <div className={styles.tabs} role="img" aria-label={t('preview.tab.label', { title })}>
        <span className={styles.tab}>
          <img src={values.icon ?? own.icon} alt="" width={16} height={16} />
          <span>{title}</span>
          <Icon name="close" size={12} />
        </span>
        <span className={styles.address}>{values.host.trim() || t('preview.anyHost')}/login</span>
      </div>
      <h3>{t('preview.page')}</h3>
      <div className={styles.page} role="img" aria-label={t('preview.page.label', { name })}>
        <span className={styles.brand}>
          <img src={values.logo ?? own.logo} alt="" height={30} />
          <span>{name}</span>
        </span>
        <span className={styles.panel}>
          <b>{t('preview.heading')}</b>
          <i />
          <i />
          <i data-short="" />
          <em>{t('preview.signIn')}</em>
        </span>
      </div>
      <p className={styles.hint}>{t('preview.note')}</p>
    </div>
  );
}
