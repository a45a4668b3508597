import { quantities as declared, wordsOf } from '../../../../catalogue/quantities/index.ts';
import type { Names } from '../../../../catalogue/names.ts';
import type { getHistorySeries } from '../../../../contract/history/history.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { laneHeight } from '../curves/paint-lanes.ts';
import { qualities, type Axis, type Curve, type Panel, type Pen, type Points, type Span } from '../curves/model.ts';
import { axisOver, extentOf } from '../curves/scale.ts';

export type Reply = ReplyOf<typeof getHistorySeries>;
export type Series = Reply['series'][number];

/** More curves than these in one picture are told apart by nobody: each unit then has its own. */
const mostJoined = 4;
const dashes: readonly (readonly number[])[] = [[], [7, 4], [2, 3], [9, 3, 2, 3]];
/** Each colour in each dash, before one comes again. */
const colors = 6;
const light = new Set(['power', 'level']);
const fromZero = new Set(['power', 'level', 'commandLevel', 'current', 'brightness', 'battery', 'fill']);

/**
 * The columns of what the server tells of one quantity of one device; `moved`: its instants lie so many milliseconds
 * later.
 */
export function pointsOf({ points, gaps, kind }: Series, width: number, moved = 0): Points {
  const known = points.filter((point) => point[1] !== null);
  const bands = kind === 'measured' && width > 0;
  const ends = new Set(points.map(([at]) => at));
  return {
    width,
    times: known.map(([at]) => at + moved),
    values: known.map(([, value]) => value ?? 0),
    ...(bands
      ? {
          lows: known.map(([, value, low]) => low ?? value ?? 0),
          highs: known.map(([, value, , high]) => high ?? value ?? 0),
        }
      : {}),
    flags: known.map(([, , , , , quality]) => qualities[quality] ?? 'measured'),
    bad: points.flatMap(([at, value]) => (value === null ? [at + moved] : [])),
    // A gap begins where the stretch before it ends.
    gaps: gaps.flatMap(([from, to]) => {
      const begin = ends.has(from) ? from + width : from;
      return to > begin ? [{ from: begin + moved, to: to + moved }] : [];
    }),
  };
}

export interface Telling {
  readonly names: Names;
  readonly codeOf: (deviceId: number) => string;
  readonly several: { readonly devices: boolean; readonly quantities: boolean };
}

export const curveKey = ({ deviceId, quantity }: Pick<Series, 'deviceId' | 'quantity'>): string =>
  `${deviceId}:${quantity}`;

/** How one is called: by what the others differ in. */
export function curveName(
  { deviceId, quantity }: Pick<Series, 'deviceId' | 'quantity'>,
  { names, codeOf, several }: Telling,
): string {
  if (!several.devices) return names.quantity(quantity);
  return several.quantities ? `${codeOf(deviceId)} · ${names.quantity(quantity)}` : codeOf(deviceId);
}

/**
 * Curves of what is asked for, with pens by their place in a picture; those of another period have the pen of the one
 * they are laid under, dashed.
 */
export function curvesOf(
  reply: Reply,
  telling: Telling,
  compared: { reply: Reply; moved: number; label: string } | null,
): Curve[] {
  const width = reply.seconds * 1000;
  const of = (series: Series, points: Points): Curve => {
    const quantity = declared.get(series.quantity);
    const words =
      series.kind === 'state'
        ? (series.options ?? ['false', 'true']).map((option) =>
            telling.names.option(quantity ? wordsOf(quantity) : 'boolean', option),
          )
        : undefined;
    const { several } = telling;
    return {
      key: curveKey(series),
      name: curveName(series, telling),
      ...(several.devices && several.quantities ? { brief: telling.codeOf(series.deviceId) } : {}),
      unit: series.unit === null || series.unit === 'one' ? '' : telling.names.unit(series.unit),
      decimals: quantity?.kind === 'number' ? quantity.decimals : 0,
      pen: { color: 0, dash: [] },
      stepped: series.kind !== 'measured' || (width === 0 && light.has(series.quantity)),
      axis: 0,
      points,
      ...(words ? { words } : {}),
    };
  };
  const own = reply.series.map((series) => of(series, pointsOf(series, width)));
  const others =
    compared?.reply.series.map((series) => {
      const curve = of(series, pointsOf(series, compared.reply.seconds * 1000, compared.moved));
      const later = (name: string): string => `${name} · ${compared.label}`;
      return {
        ...curve,
        key: `${curve.key}:compared`,
        name: later(curve.name),
        ...(curve.brief === undefined ? {} : { brief: later(curve.brief) }),
        moved: compared.moved,
      };
    }) ?? [];
  return [...own, ...others];
}

/**
 * How curves share pictures: those of one unit, two units in one picture as long as they are few; `units`: each unit
 * apart; `curves`: each curve.
 */
export type Apart = 'few' | 'units' | 'curves';

const groupOf = (curve: Curve, apart: Apart): string =>
  curve.words ? 'lanes' : apart === 'curves' ? curve.key.replace(/:compared$/, '') : curve.unit;
const quantityOf = (curve: Curve): string => curve.key.split(':')[1] ?? '';
/** A share of a hundred: no axis goes beyond. */
const isShare = (curve: Curve): boolean => {
  const quantity = declared.get(quantityOf(curve));
  return quantity?.kind === 'number' && quantity.unit === 'percent' && quantity.max === 100;
};

function penOf(curve: Curve, own: readonly Curve[]): Pen {
  const key = curve.moved === undefined ? curve.key : curve.key.replace(/:compared$/, '');
  const place = Math.max(
    0,
    own.findIndex((one) => one.key === key),
  );
  const isLight = light.has(quantityOf(curve)) && own.filter((one) => light.has(quantityOf(one))).length === 1;
  const dash = curve.moved === undefined ? dashes[Math.floor(place / colors) % dashes.length]! : [4, 4];
  return { color: isLight ? 'light' : place % colors, dash };
}

/**
 * Pens as pictures have them: every curve of one picture its own. Hidden ones keep theirs, so that nothing changes its
 * colour.
 */
export function pictured(
  curves: readonly Curve[],
  apart: Apart,
): { readonly units: readonly string[]; readonly curves: readonly Curve[] }[] {
  const of = (curve: Curve): string => groupOf(curve, apart);
  const groups = [...new Set(curves.map(of))];
  const amounts = groups.filter((group) => group !== 'lanes');
  const count = curves.filter((curve) => curve.moved === undefined && of(curve) !== 'lanes').length;
  const together =
    amounts.length === 2 && count <= mostJoined && apart === 'few' ? [amounts] : amounts.map((unit) => [unit]);
  return [...together, ...(groups.includes('lanes') ? [['lanes']] : [])].map((units) => {
    const some = curves.filter((curve) => units.includes(of(curve)));
    const own = some.filter(({ moved }) => moved === undefined);
    return {
      units,
      curves: some.map((curve): Curve => ({
        ...curve,
        pen: penOf(curve, own),
        axis: units.indexOf(of(curve)) === 1 ? 1 : 0,
      })),
    };
  });
}

/** How the curves of one picture are called: of one quantity without its name, which stands above it. */
function legendOf(curves: readonly Curve[]): string[] {
  const isOne = new Set(curves.map(quantityOf)).size === 1;
  return curves.map(({ name, brief }) => (isOne ? (brief ?? name) : name));
}

/** The pictures of what is not hidden; those of units without any reading in the span keep their place, empty. */
export function panelsOf(
  curves: readonly Curve[],
  span: Span,
  {
    apart = 'few' as Apart,
    height = 240,
    hidden = new Set<string>() as ReadonlySet<string>,
    titleOf = (_: readonly string[]): string => '',
  } = {},
): Panel[] {
  const pictures = pictured(curves, apart);
  return pictures.flatMap(({ units, curves: all }): Panel[] => {
    const shown = all.filter(({ key }) => !hidden.has(key.replace(/:compared$/, '')));
    if (shown.length === 0) return [];
    // One picture alone needs no title on the page: what it shows stands above and below it.
    const title =
      (pictures.length > 1 || apart === 'curves') && units[0] !== 'lanes'
        ? titleOf([...new Set(all.map(quantityOf))])
        : '';
    if (units[0] === 'lanes')
      return [{ key: 'lanes', title, kind: 'lanes', axes: [], curves: shown, height: shown.length * laneHeight }];
    const axes = units.map((unit, index): Axis => {
      const some = shown.filter(({ axis }) => axis === index);
      const extent = extentOf(some, span) ?? { low: 0, high: 1 };
      return axisOver(some[0]?.unit ?? unit, extent.low, extent.high, {
        fromZero: some.some((curve) => fromZero.has(quantityOf(curve))),
        count: height > 180 ? 5 : 3,
        most: some.every(isShare) ? 100 : Infinity,
      });
    });
    return [
      {
        key: units.join('+'),
        title,
        kind: 'lines',
        axes,
        curves: shown,
        height,
        ...(shown.length > 1 ? { legend: legendOf(shown) } : {}),
      },
    ];
  });
}
