import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../locales/format-number.ts';
import styles from './bars.module.css';

/**
 * An amount of something that has a name; `color` where the thing has one of its own, `muted`: what is left over or not
 * known.
 */
export interface Bar {
  readonly name: string;
  readonly value: number;
  readonly color?: string;
  readonly muted?: boolean;
}

/**
 * Amounts as bars, the first on top, or, `upright`, as columns: from zero on, the number at the end of each. `label`
 * says in words what it shows; a table beside it has every number.
 */
export function BarChart({ bars, upright = false, label }: { bars: readonly Bar[]; upright?: boolean; label: string }) {
  const { i18n } = useTranslation();
  const most = Math.max(1e-9, ...bars.map(({ value }) => value));
  return (
    <div role="img" aria-label={label} className={styles.bars} data-upright={upright || undefined}>
      {bars.map(({ name, value, color, muted }, index) => (
        <span
          key={`${index} ${name}`}
          className={styles.bar}
          title={`${name} ${formatNumber(value, i18n.language, 0)}`}
        >
          <span className={styles.name}>{name}</span>
          <span className={styles.track}>
            <i
              data-muted={muted || undefined}
              style={{
                [upright ? 'height' : 'width']: `${(value / most) * 100}%`,
                ...(color === undefined ? {} : { background: color }),
              }}
            />
            <b>{formatNumber(value, i18n.language, 0)}</b>
          </span>
        </span>
      ))}
    </div>
  );
}
