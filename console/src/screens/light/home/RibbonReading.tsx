import { useTranslation } from 'react-i18next';
import { formatNumber, formatPercent, useTime } from '../../../parts/index.ts';
import type { HomeCurve } from './calls.ts';
import styles from './ribbon.module.css';

/** The lines of the ribbon, in the order of its legend. */
const lines = ['lit', 'level', 'tonight', 'plan', 'previous'] as const;
type Line = (typeof lines)[number];

interface Row {
  readonly line: Line;
  readonly value: string;
}

/** What the curve says at a step: a row a line, and all of it in one sentence. */
export function useReading(curve: HomeCurve, step: number | null) {
  const { t, i18n } = useTranslation('home');
  const time = useTime();
  if (step === null) return { at: '', rows: [] as readonly Row[], text: undefined };
  const kw = (value: number | null | undefined) =>
    value === null || value === undefined ? '—' : `${formatNumber(value, i18n.language, 1)} kW`;
  const percent = (value: number | null | undefined, whole: number) =>
    value === null || value === undefined || whole === 0 ? '—' : formatPercent((value / whole) * 100, i18n.language, 1);
  const values: Record<Line, string> = {
    lit: percent(curve.lit[step], curve.lamps),
    level: percent(curve.planLevel[step], 100),
    tonight: kw(curve.powerKw[step]),
    plan: kw(curve.planKw[step]),
    previous: kw(curve.previousKw[step]),
  };
  const at = time(Date.parse(curve.from) + step * curve.stepSeconds * 1000, 'minute');
  const rows = lines.map((line): Row => ({ line, value: values[line] }));
  return { at, rows, text: [at, ...rows.map(({ line, value }) => `${t(`ribbon.${line}`)} ${value}`)].join(' · ') };
}

/** The values beside the pointer; on the side that has room. */
export function RibbonReading({ rows, at, share }: { rows: readonly Row[]; at: string; share: number }) {
  const { t } = useTranslation('home');
  return (
    <div
      className={styles.reading}
      style={share > 0.5 ? { right: `calc(${(1 - share) * 100}% + 12px)` } : { left: `calc(${share * 100}% + 12px)` }}
    >
      <b>{at}</b>
      <dl>
        {rows.map(({ line, value }) => (
          <div key={line}>
            <dt>
              <i data-line={line} />
              {t(`ribbon.${line}`)}
            </dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** What each line is; on the side where it hides nothing. */
export function RibbonLegend({ left }: { left: boolean }) {
  const { t } = useTranslation('home');
  return (
    <div className={styles.legend} data-left={left || undefined} aria-hidden>
      {lines.map((line) => (
        <span key={line}>
          <i data-line={line} />
          {t(`ribbon.${line}`)}
        </span>
      ))}
    </div>
  );
}
