import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../locales/format-number.ts';
import { formatTime } from '../time/zone.ts';
import { colorOf, type Ink } from './ink.ts';
import type { Curve, Quality, Span } from './model.ts';
import { indexAt } from './nearest.ts';
import styles from './curves.module.css';

/** What a curve says at an instant; null: it says nothing there. */
export interface Told {
  readonly curve: Curve;
  readonly at: number;
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly quality: Quality;
}

/** What each curve says at an instant; those that say nothing there come with null. */
export function toldAt(
  curves: readonly Curve[],
  at: number,
  reach: number,
): readonly { curve: Curve; told: Told | null }[] {
  return curves.map((curve) => {
    const index = indexAt(curve, at, reach);
    const { times, values, lows, highs, flags } = curve.points;
    if (index === null) return { curve, told: null };
    return {
      curve,
      told: {
        curve,
        at: times[index]! - (curve.moved ?? 0),
        value: values[index]!,
        low: lows?.[index] ?? null,
        high: highs?.[index] ?? null,
        quality: flags?.[index] ?? 'measured',
      },
    };
  });
}

/** A value as it is written: its word, or the number with its unit. */
export const valueText = (
  { words, decimals, unit }: Pick<Curve, 'words' | 'decimals' | 'unit'>,
  value: number,
  language: string,
): string => words?.[value] ?? `${formatNumber(value, language, decimals)} ${unit}`.trim();

interface Props {
  curves: readonly Curve[];
  span: Span;
  at: number;
  reach: number;
  ink: Ink;
  place?: number;
  width?: number;
  spoken: boolean;
}

/**
 * What all curves say where somebody points: exact value, band, quality and time, each with its own date where it is
 * another's.
 */
export function Reading({ curves, at, reach, ink, place = 0, width = 0, spoken }: Props) {
  const { t } = useTranslation('curves');
  const lines = toldAt(curves, at, reach);
  const bucket = lines.find(
    ({ curve, told }) => told !== null && curve.moved === undefined && curve.points.width > 0,
  )?.told;
  const times = new Set(lines.flatMap(({ told }) => (told ? [told.at] : [])));
  // Single readings of one instant are told with it; of several, each with its own.
  const [only] = times.size === 1 ? times : [];
  const head = bucket
    ? spanText(bucket.at, bucket.curve.points.width, ink.zone)
    : formatTime(only ?? at, 'dateTime', ink.zone);
  const isRight = place > width * 0.6;
  return (
    <div
      className={styles.reading}
      style={isRight ? { right: width - place + 14 } : { left: place + 14 }}
      role={spoken ? 'status' : undefined}
    >
      <b>{head}</b>
      <ul>
        {lines.map(({ curve, told }) => (
          <li key={curve.key} data-silent={told === null || undefined}>
            <Swatch curve={curve} ink={ink} />
            <span>{curve.name}</span>
            <span className={styles.said}>
              {told === null ? t('nothing') : <Said told={told} ink={ink} timed={only === undefined} />}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Said({
  told: { curve, at, value, low, high, quality },
  ink,
  timed,
}: {
  told: Told;
  ink: Ink;
  timed: boolean;
}) {
  const { t } = useTranslation('curves');
  const isSpread = low !== null && high !== null && low !== high;
  const isOther = curve.moved !== undefined;
  return (
    <>
      <b>{valueText(curve, value, ink.language)}</b>
      {isSpread ? (
        <small>
          {t('band', {
            low: formatNumber(low, ink.language, curve.decimals),
            high: formatNumber(high, ink.language, curve.decimals),
          })}
        </small>
      ) : null}
      {quality === 'measured' ? null : <small data-quality={quality}>{t(`quality.${quality}`)}</small>}
      {timed && (isOther || curve.points.width === 0) ? (
        <small>
          {isOther && curve.points.width > 0
            ? spanText(at, curve.points.width, ink.zone)
            : formatTime(at, isOther ? 'dateTime' : 'time', ink.zone)}
        </small>
      ) : null}
    </>
  );
}

const dayMs = 86_400_000;

/** The time of a bucket: a day by its date, less by its beginning and end. */
export function spanText(from: number, width: number, zone: string): string {
  // Days of a zone that changes its clock are an hour longer or shorter.
  if (width >= dayMs - 3_600_000) return formatTime(from, 'date', zone);
  return `${formatTime(from, 'date', zone)} ${formatTime(from, 'minute', zone)}–${formatTime(from + width, 'minute', zone)}`;
}

/** The stroke of a curve as a sample. */
export function Swatch({ curve, ink }: { curve: Curve; ink: Ink }) {
  return (
    <svg className={styles.swatch} viewBox="0 0 22 8" width={22} height={8} aria-hidden>
      <line
        x1={0}
        y1={4}
        x2={22}
        y2={4}
        stroke={colorOf(curve, ink.colors)}
        strokeWidth={curve.moved === undefined ? 3 : 2}
        strokeDasharray={curve.pen.dash.join(' ')}
      />
    </svg>
  );
}
