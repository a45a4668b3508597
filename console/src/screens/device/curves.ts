import type { ReportPeriod } from '../../../../catalogue/family.ts';
import type { Quantity } from '../../../../catalogue/quantities/index.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import type { listDeviceReadings } from '../../../../contract/routes/devices.ts';
import { brokenAt, type Span, type TimeChartSpec } from '../../parts/charts/index.ts';

export type Readings = ReplyOf<typeof listDeviceReadings>['data'];
type Measured = Extract<Quantity, { kind: 'number' }>;

/** Where nothing was measured: neighbours more than two reporting periods apart, and the silence until the end. */
export function gapsIn(readings: Readings, report: ReportPeriod, to: number): Span[] {
  return readings.flatMap((reading, index) => {
    const at = Date.parse(reading.at);
    const next = readings[index + 1];
    const until = next ? Date.parse(next.at) : to;
    const period = reading.values['relay'] === false ? report.unlit : reading.values['relay'] === true ? report.lit : Math.max(report.lit, report.unlit);
    return until - at > 2 * period * 1000 ? [{ from: at, to: until }] : [];
  });
}

/** The curve of one quantity; undefined: it was not reported in the span. */
export function curveOf(quantity: Measured, readings: Readings, gaps: readonly Span[], span: Span, words: { name: string; unit: string }): { spec: TimeChartSpec; last: number } | undefined {
  const values = readings.map(({ values: all }) => { const value = all[quantity.key]; return typeof value === 'number' ? value : null; });
  const known = values.filter((value) => value !== null);
  const last = known.at(-1);
  if (last === undefined) return undefined;
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const light = quantity.key === 'level' || quantity.key === 'power';
  return {
    last,
    spec: {
      from: span.from, to: span.to, unit: words.unit, decimals: quantity.decimals, gaps, compact: true, ...axis(low, high, light),
      lines: [{ name: words.name, kind: light ? 'light' : 'plain', points: brokenAt(readings.map(({ at }) => Date.parse(at)), values, gaps), endLabel: true, stepped: light }],
    },
  };
}

/** From zero where that says something; what only swings around a value, or goes below zero, gets room of its own. */
function axis(low: number, high: number, fromZero: boolean): { min?: number; max?: number } {
  // Small ones say their top, so that the axis is written with a decimal.
  if (fromZero || (low >= 0 && high - low > high * 0.3) || (low === 0 && high === 0)) return high > 0 && high <= 4 ? { max: Math.ceil(high * 12) / 10 } : {};
  const room = Math.max(high - low, Math.abs(high) * 0.02, 1);
  const step = 10 ** Math.floor(Math.log10(room));
  return { min: Math.floor((low - room / 2) / step) * step, max: Math.ceil((high + room / 2) / step) * step };
}
