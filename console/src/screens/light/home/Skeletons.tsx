import { useTranslation } from 'react-i18next';
import styles from './skeletons.module.css';

/** What comes, in grey: each as high as the part itself. */
function Grey({ shape }: { shape: 'ribbon' | 'map' }) {
  const { t } = useTranslation('parts');
  return <div className={styles[shape]} role="status" aria-label={t('skeleton.label')} />;
}
export const RibbonSkeleton = () => <Grey shape="ribbon" />;
export const MapSkeleton = () => <Grey shape="map" />;

/** Five figures: name, value, detail. */
export function FiguresSkeleton() {
  const { t } = useTranslation('parts');
  return (
    <div className={styles.figures} role="status" aria-label={t('skeleton.label')}>
      {Array.from({ length: 5 }, (_, index) => (
        <div key={index}>
          <i />
          <i />
          <i />
        </div>
      ))}
    </div>
  );
}

/** Lines of a mark and two rows of text. */
export function LinesSkeleton({ lines = 5 }: { lines?: number }) {
  const { t } = useTranslation('parts');
  return (
    <div className={styles.lines} role="status" aria-label={t('skeleton.label')}>
      {Array.from({ length: lines }, (_, index) => (
        <div key={index}>
          <i />
          <i />
        </div>
      ))}
    </div>
  );
}
