import { useTranslation } from 'react-i18next';
import { getMe } from '../../../../contract/people/me.ts';
import { useCall } from '../../api/index.ts';
import { Icon } from '../../parts/index.ts';
import { previewed } from '../../session/index.ts';
import { useExitPreview } from './exit.ts';
import styles from './preview.module.css';

/** In a preview: through whose eyes one looks, on every page, with the way out. */
export function PreviewBanner() {
  const { t } = useTranslation('shell');
  const exit = useExitPreview();
  const me = useCall(getMe, {}, { staleTime: 300_000 }).data;
  const whose = previewed() ?? (me?.previewBy === undefined ? undefined : me);
  if (whose === undefined) return null;
  return (
    <section className={styles.banner} aria-label={t('preview.label')}>
      <Icon name="eye" size={15} />
      <span>{t('preview.banner', { name: whose.displayName || whose.username })}</span>
      <button type="button" onClick={exit}>
        {t('preview.exit')}
      </button>
    </section>
  );
}
