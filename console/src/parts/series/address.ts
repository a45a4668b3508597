import { resolutions, type Resolution } from '../../../../contract/history.ts';
import { mostCurveDevices, mostCurveQuantities } from '../../../../contract/history/history.ts';
import { longestMs, shortestMs } from '../curves/use-pointing.ts';
import type { AddressValues } from '../page/use-address.ts';
import type { Span } from '../curves/model.ts';
import { comparisons, spanNames, type Comparison, type SpanName } from './spans.ts';

/** What the page shows, as it stands in the address: a link shows the same to everybody who may see the devices. */
export interface Choice {
  readonly devices: readonly number[];
  /** Empty: what the devices usually report. */
  readonly quantities: readonly string[];
  readonly span: SpanName | Span;
  readonly resolution: Resolution | null;
  readonly compare: Comparison | { readonly day: string } | null;
  readonly view: 'chart' | 'table';
  /** Each unit in a picture of its own, also where there are only two. */
  readonly apart: boolean;
}

const usualSpan: SpanName = '24h';
const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));
const listOf = (text: string | null): string[] => [...new Set((text ?? '').split(',').filter((part) => part !== ''))];
const oneOf = <T extends string>(all: readonly T[], text: string | null): T | null =>
  all.find((one) => one === text) ?? null;

/** Reads an address; what means nothing is left out, and what is too much is cut. */
export function choiceOf(params: URLSearchParams): Choice {
  const [from, to] = ['from', 'to'].map((name) => Date.parse(params.get(name) ?? '')) as [number, number];
  const isOwn = to - from >= shortestMs && to - from <= longestMs;
  const compare = params.get('compare') ?? '';
  return {
    devices: listOf(params.get('devices'))
      .filter((id) => /^[1-9]\d{0,14}$/.test(id))
      .map(Number)
      .slice(0, mostCurveDevices),
    quantities: listOf(params.get('quantities'))
      .filter((key) => /^[A-Za-z0-9]{1,40}$/.test(key))
      .slice(0, mostCurveQuantities),
    span: isOwn ? { from, to } : (oneOf(spanNames, params.get('span')) ?? usualSpan),
    resolution: oneOf(resolutions, params.get('resolution')),
    compare: isDay(compare) ? { day: compare } : oneOf(comparisons, compare),
    view: params.get('view') === 'table' ? 'table' : 'chart',
    apart: params.get('apart') === '1',
  };
}

/** How a change of the choice is written; what is usual does not stand in the address. */
export function addressOf(change: Partial<Choice>): AddressValues {
  const { devices, quantities, span, resolution, compare, view, apart } = change;
  return {
    ...(devices ? { devices: devices.join(',') } : {}),
    ...(quantities ? { quantities: quantities.join(',') } : {}),
    ...(span === undefined
      ? {}
      : typeof span === 'string'
        ? { span: span === usualSpan ? null : span, from: null, to: null }
        : { span: null, from: new Date(span.from).toISOString(), to: new Date(span.to).toISOString() }),
    ...(resolution === undefined ? {} : { resolution }),
    ...(compare === undefined
      ? {}
      : { compare: compare !== null && typeof compare === 'object' ? compare.day : compare }),
    ...(view === undefined ? {} : { view: view === 'chart' ? null : view }),
    ...(apart === undefined ? {} : { apart: apart ? '1' : null }),
  };
}
