import { Skeleton } from '../../parts/index.ts';
import styles from './Shell.module.css';

/** The shell's outline while the menu loads: header, side (home has none), page, in their places. */
export function ShellSkeleton() {
  return (
    <div className={styles.shell}>
      <div className={styles.blankHeader} />
      <div className={styles.body}>
        {location.pathname === '/home' || location.pathname === '/' ? null : <div className={styles.blankSide} />}
        <div className={styles.column}>
          <Skeleton rows={5} />
        </div>
      </div>
    </div>
  );
}
