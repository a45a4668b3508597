import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Static } from 'typebox';
import { getLampCurve } from '../../../../contract/light/lamps.ts';
import { useCall } from '../../api/index.ts';
import {
  durationText,
  steps,
  TimeChart,
  brokenAt,
  type ChartLine,
  type Span,
  type TimeChartSpec,
} from '../charts/index.ts';
import { Empty, ErrorState, formatNumber, Skeleton, useTime } from '../index.ts';
import { useNames } from '../../locales/catalogue-names.ts';
import type { LampNight } from './lamp.ts';

export type Curve = Static<(typeof getLampCurve)['reply']>;
type Column = 'power' | 'voltage';

const instant = (at: string): number => new Date(at).getTime();

/** The chart of one quantity of a lamp: measured solid, gaps open and hatched, the plan dashed. */
export function curveSpec(
  curve: Curve,
  column: Column,
  words: { measured: string; plan: string },
): { spec: TimeChartSpec; gaps: Span[]; last: number | null } {
  const from = instant(curve.from);
  const to = instant(curve.to);
  const gaps = curve.gaps.map((gap) => ({ from: instant(gap.from), to: instant(gap.to) }));
  const points = brokenAt(curve.at.map(instant), curve[column], gaps);
  // What is expected is reckoned in one place, the server: by what was learned of lamps of this model.
  const plan =
    column === 'power'
      ? steps(
          curve.plan.flatMap(({ at, watts }) => (watts === null ? [] : [{ at: instant(at), value: watts }])),
          from,
          to,
        )
      : [];
  const lines: ChartLine[] = [
    ...(plan.length > 0 ? [{ name: words.plan, kind: 'plan' as const, points: plan }] : []),
    {
      name: words.measured,
      kind: column === 'power' ? 'light' : 'plain',
      points,
      stepped: column === 'power',
    },
  ];
  const known = curve[column].filter((value) => value !== null);
  return {
    gaps,
    last: known.at(-1) ?? null,
    spec: {
      from,
      to,
      unit: column === 'power' ? 'W' : 'V',
      decimals: 1,
      lines,
      gaps,
      nights: curve.nights.map((night) => ({ from: instant(night.from), to: instant(night.to) })),
      ...(column === 'voltage'
        ? {
            limits: [voltageBand.low, voltageBand.high],
            // Whole thirties, so that the three steps between them are whole tens.
            min: Math.floor(Math.min(190, ...known) / 30) * 30,
            max: Math.ceil(Math.max(245, ...known) / 30) * 30,
          }
        : {}),
    },
  };
}

/** GB/T 12325 for 220 V: +7 % / −10 %. */
export const voltageBand = { low: 198, high: 235.4 };

export interface CurveSpan {
  from?: string;
  to?: string;
}

/** A night by its steps: from an hour before the first to half an hour after the last one. */
export function nightSpan(night: LampNight): CurveSpan {
  const [first, last] = [night?.steps[0], night?.steps.at(-1)];
  if (!first || !last) return {};
  return {
    from: new Date(instant(first.at) - 3_600_000).toISOString(),
    to: new Date(instant(last.at) + 1_800_000).toISOString(),
  };
}

/** Fetches and draws one curve of a lamp, in every state a curve can be in. */
export function LampCurve({
  lampId,
  column,
  span = {},
  height,
  compact = false,
}: {
  lampId: number;
  column: Column;
  span?: CurveSpan;
  height: number;
  compact?: boolean;
}) {
  const { t, i18n } = useTranslation('lamp');
  const names = useNames();
  const time = useTime();
  const curve = useCall(getLampCurve, { params: { id: lampId }, query: span }, { keepPrevious: true });
  const drawn = useMemo(
    () =>
      curve.data ? curveSpec(curve.data, column, { measured: names.quantity(column), plan: t('curve.plan') }) : null,
    [curve.data, column, names, t],
  );
  if (curve.error && !drawn) return <ErrorState error={curve.error} onRetry={curve.refetch} />;
  if (!drawn) return <Skeleton rows={3} height={height} />;
  if (curve.data?.at.length === 0)
    return (
      <div style={{ minHeight: height }}>
        <Empty title={t('curve.none')} text={t('curve.noneText')} />
      </div>
    );
  const label = t('curve.label', {
    name: names.quantity(column),
    from: time(drawn.spec.from, 'dayTime'),
    to: time(drawn.spec.to, 'dayTime'),
    last: drawn.last === null ? '—' : `${formatNumber(drawn.last, i18n.language, 1)} ${drawn.spec.unit}`,
    gaps: drawn.gaps.length,
  });
  return (
    <>
      <TimeChart spec={drawn.spec} height={height} label={label} />
      {compact ? <GapList gaps={drawn.gaps} /> : null}
    </>
  );
}

/** The last gap in words, as under the drawer's curve. */
function GapList({ gaps }: { gaps: readonly Span[] }) {
  const { t, i18n } = useTranslation('lamp');
  const time = useTime();
  const gap = gaps.at(-1);
  if (!gap) return null;
  return (
    <p style={{ margin: '6px 0 0', fontSize: 12, lineHeight: '18px', color: 'var(--c-text-2)' }}>
      {t('curve.gap', {
        from: time(gap.from, 'minute'),
        to: time(gap.to, 'minute'),
        length: durationText(gap.to - gap.from, i18n.language),
      })}
    </p>
  );
}
