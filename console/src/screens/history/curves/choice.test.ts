import { describe, expect, test } from 'vitest';
import { makeNames } from '../../../../../catalogue/names.ts';
import texts from '../../../../../catalogue/locales/zh-CN.json' with { type: 'json' };
import { addressOf, choiceOf } from '../../../parts/series/address.ts';
import { usualQuantities, type About } from '../../../parts/series/devices.ts';
import { nightsBetween } from '../../../parts/series/nights.ts';
import { curvesOf, panelsOf, pictured, pointsOf, type Reply, type Series } from '../../../parts/series/panels.ts';
import { rowsOf } from './rows.ts';
import { comparedFrom, spanOf, type Comparison } from '../../../parts/series/spans.ts';
import { tailFrom, withTail } from '../../../parts/series/tail.ts';

const at = (text: string): number => Date.parse(text);
const iso = (time: number): string => new Date(time).toISOString().slice(0, 16);
const [minute, hour] = [60_000, 3_600_000];

describe('the address', () => {
  const of = (search: string) => choiceOf(new URLSearchParams(search));
  test('says everything that is shown, and what is usual is left out', () => {
    const search = 'devices=7,8&quantities=power,voltage&span=7d&resolution=hour&compare=week&view=table&apart=1';
    expect(of(search)).toEqual({
      devices: [7, 8],
      quantities: ['power', 'voltage'],
      span: '7d',
      resolution: 'hour',
      compare: 'week',
      view: 'table',
      apart: true,
    });
    expect(addressOf(of(search))).toEqual({
      devices: '7,8',
      quantities: 'power,voltage',
      span: '7d',
      from: null,
      to: null,
      resolution: 'hour',
      compare: 'week',
      view: 'table',
      apart: '1',
    });
    expect(addressOf({ span: '24h', view: 'chart', apart: false, compare: null, resolution: null })).toEqual({
      span: null,
      from: null,
      to: null,
      view: null,
      apart: null,
      compare: null,
      resolution: null,
    });
  });
  test('a span of one’s own, and a day to compare with', () => {
    const { span, compare } = of(
      'from=2026-11-20T00:00:00.000Z&to=2026-11-21T00:00:00.000Z&compare=2026-11-01&span=7d',
    );
    expect(span).toEqual({ from: at('2026-11-20T00:00Z'), to: at('2026-11-21T00:00Z') });
    expect(compare).toEqual({ day: '2026-11-01' });
    expect(addressOf({ span, compare })).toEqual({
      span: null,
      from: '2026-11-20T00:00:00.000Z',
      to: '2026-11-21T00:00:00.000Z',
      compare: '2026-11-01',
    });
  });
  test('what means nothing is left out, what is too much is cut', () => {
    expect(
      of(
        'devices=x,0,-1,7,7&quantities=a b,power&span=never&from=2026-11-21T00:00:00Z&to=2026-11-20T00:00:00Z&resolution=5m&compare=2026-13-01&view=x',
      ),
    ).toEqual({
      devices: [7],
      quantities: ['power'],
      span: '24h',
      resolution: null,
      compare: null,
      view: 'chart',
      apart: false,
    });
    expect(of(`devices=${Array.from({ length: 50 }, (_, index) => index + 1).join(',')}`).devices).toHaveLength(20);
  });
});

describe('spans', () => {
  const zone = 'Asia/Shanghai';
  test.each([
    ['night', '2026-11-21T20:00+08:00', '2026-11-21T04:00', '2026-11-22T04:00'],
    ['night', '2026-11-21T03:00+08:00', '2026-11-20T04:00', '2026-11-21T04:00'],
    ['month', '2026-11-21T03:00+08:00', '2026-10-31T16:00', '2026-11-20T19:00'],
    ['year', '2026-11-21T03:00+08:00', '2025-12-31T16:00', '2026-11-20T19:00'],
    ['24h', '2026-11-21T03:00+08:00', '2026-11-19T19:00', '2026-11-20T19:00'],
  ] as const)('%s at %s', (name, now, from, to) => {
    const span = spanOf(name, at(now), zone);
    expect([iso(span.from), iso(span.to)]).toEqual([from, to]);
  });
  test('a night over the change of clocks is an hour longer', () => {
    const { from, to } = spanOf('night', at('2026-10-25T01:00Z'), 'Europe/Paris');
    expect((to - from) / hour).toBe(25);
  });
  const compared = (
    from: string,
    to: string,
    comparison: Comparison | { day: string },
    name: Parameters<typeof comparedFrom>[2] = null,
    place = zone,
  ) => iso(comparedFrom({ from: at(from), to: at(to) }, comparison, name, place));
  test.each([
    ['a week earlier', '2026-11-20T12:00Z', '2026-11-21T12:00Z', 'week', null, '2026-11-13T12:00'],
    ['the day before', '2026-11-20T12:00Z', '2026-11-21T12:00Z', 'previous', null, '2026-11-19T12:00'],
    ['an hour and a half before', '2026-11-20T12:00Z', '2026-11-20T13:30Z', 'previous', null, '2026-11-20T10:30'],
    ['the month before', '2026-10-31T16:00Z', '2026-11-20T12:00Z', 'previous', 'month', '2026-09-30T16:00'],
    ['the year before', '2025-12-31T16:00Z', '2026-11-20T12:00Z', 'previous', 'year', '2024-12-31T16:00'],
    ['a month earlier, on its last day', '2026-03-30T16:30Z', '2026-03-31T16:30Z', 'month', null, '2026-02-27T16:30'],
    ['a year before the 29th of February', '2028-02-28T16:00Z', '2028-02-29T16:00Z', 'year', null, '2027-02-27T16:00'],
  ] as const)('%s', (_, from, to, comparison, name, expected) =>
    expect(compared(from, to, comparison, name)).toBe(expected),
  );
  test('a day of one’s own begins at the same time of day', () =>
    expect(compared('2026-11-20T12:00Z', '2026-11-21T12:00Z', { day: '2026-11-01' })).toBe('2026-11-01T12:00'));
  test('a week earlier in summer time begins at the same time by the clock', () =>
    expect(compared('2026-10-27T17:00Z', '2026-10-28T17:00Z', 'week', null, 'Europe/Paris')).toBe('2026-10-20T16:00'));
});

const series = (quantity: string, points: Series['points'], more: Partial<Series> = {}): Series => ({
  deviceId: 7,
  quantity,
  kind: 'measured',
  unit: 'W',
  options: null,
  points,
  gaps: [],
  quality: { measured: 1, estimated: 0, stale: 0, invalid: 0 },
  ...more,
});
const reply = (all: Series[], seconds = 0): Reply => ({
  resolution: seconds === 0 ? 'raw' : 'hour',
  seconds,
  possible: [],
  from: '',
  to: '',
  series: all,
  truncated: false,
});
const names = makeNames(texts);
const telling = { names, codeOf: (id: number) => `L-${id}`, several: { devices: false, quantities: true } };

describe('curves', () => {
  test('bad values are marks, not zeros; a gap begins where the stretch before it ends', () => {
    const told = pointsOf(
      series(
        'power',
        [
          [0, 5, 4, 6, 3, 0],
          [hour, null, null, null, 0, 3],
          [5 * hour, 7, 7, 7, 1, 1],
        ],
        { gaps: [[0, 5 * hour]] },
      ),
      hour,
    );
    expect(told).toEqual({
      width: hour,
      times: [0, 5 * hour],
      values: [5, 7],
      lows: [4, 7],
      highs: [6, 7],
      flags: ['measured', 'estimated'],
      bad: [hour],
      gaps: [{ from: hour, to: 5 * hour }],
    });
  });
  test('those of another period lie over this one', () =>
    expect(pointsOf(series('power', [[0, 5, null, null, 1, 0]], { gaps: [[10, 20]] }), 0, 100)).toMatchObject({
      times: [100],
      gaps: [{ from: 110, to: 120 }],
    }));
  const power = series('power', [[0, 5, null, null, 1, 0]]);
  const voltage = series('voltage', [[0, 226, null, null, 1, 0]], { unit: 'V' });
  const relay = series('relay', [[0, 1, null, null, 1, 0]], { kind: 'state', unit: null });
  const span = { from: 0, to: hour };
  const of = (...all: Series[]) => curvesOf(reply(all), telling, null);
  test('two units share a picture with two axes, more have one each, states have lanes', () => {
    const shape = (...all: Series[]) =>
      panelsOf(of(...all), span).map(({ kind, axes }) => `${kind} ${axes.map(({ unit }) => unit).join()}`);
    expect(shape(power, voltage, relay)).toEqual(['lines W,V', 'lanes ']);
    expect(shape(power, voltage, series('temperature', [[0, 20, null, null, 1, 0]], { unit: 'celsius' }))).toEqual([
      'lines W',
      'lines V',
      'lines °C',
    ]);
    expect(panelsOf(of(power, voltage), span, { apart: 'units' })).toHaveLength(2);
    expect(
      panelsOf(of(power, voltage), span, { apart: 'curves', titleOf: (keys) => keys.join() }).map(({ title }) => title),
    ).toEqual(['power', 'voltage']);
  });
  test('light is warm only while it is one curve; each curve of a picture has a pen of its own; hidden ones leave the others theirs', () => {
    const lamps = Array.from({ length: 14 }, (_, index) =>
      series('power', [[0, index, null, null, 1, 0]], { deviceId: index }),
    );
    expect(pictured(of(power), 'few')[0]!.curves[0]!.pen.color).toBe('light');
    const pens = pictured(of(...lamps), 'few')[0]!.curves.map(({ pen }) => `${pen.color} ${pen.dash.join()}`);
    expect(new Set(pens).size).toBe(14);
    expect(panelsOf(of(...lamps), span, { hidden: new Set(['0:power']) })[0]!.curves[0]!.pen.color).toBe(1);
  });
  test('what shares a picture is named above it, without what stands there already; one curve alone needs no name', () => {
    const both = { ...telling, several: { devices: true, quantities: true } };
    const legends = (all: Series[], several = both) =>
      panelsOf(curvesOf(reply(all), several, null), span, { apart: 'units' }).map(({ legend }) => legend);
    const other = { ...power, deviceId: 8 };
    expect(legends([power, other, voltage])).toEqual([['L-7', 'L-8'], undefined]);
    expect(legends([power, other, series('pvPower', [])])[0]).toEqual([
      'L-7 · 有功功率',
      'L-8 · 有功功率',
      `L-7 · ${names.quantity('pvPower')}`,
    ]);
    expect(legends([power, other], { ...telling, several: { devices: true, quantities: false } })).toEqual([
      ['L-7', 'L-8'],
    ]);
  });
  test('a compared curve has the pen of its own one, dashed', () => {
    const curves = curvesOf(reply([power, voltage]), telling, {
      reply: reply([power, voltage]),
      moved: 1000,
      label: '上周',
    });
    const [, , other] = pictured(curves, 'units')
      .flatMap((one) => one.curves)
      .toSorted((one, two) => Number(one.moved !== undefined) - Number(two.moved !== undefined));
    expect(other).toMatchObject({ name: '有功功率 · 上周', moved: 1000, pen: { color: 'light', dash: [4, 4] } });
  });
  test('states are told in words', () =>
    expect(of(relay)[0]!.words).toEqual([names.option('contact', 'false'), names.option('contact', 'true')]));
});

test('the table has each instant once, and a gap of all curves in its place', () => {
  const curve = (points: [number, number][], gaps: [number, number][]) =>
    curvesOf(
      reply([
        series(
          'power',
          points.map(([time, value]) => [time, value, null, null, 1, 0]),
          { gaps },
        ),
      ]),
      telling,
      null,
    )[0]!;
  const rows = rowsOf(
    [
      curve(
        [
          [0, 1],
          [50_000, 2],
        ],
        [[10_000, 40_000]],
      ),
      curve(
        [
          [0, 3],
          [30_000, 4],
        ],
        [[10_000, 30_000]],
      ),
    ],
    { from: 0, to: 60_000 },
  );
  expect(rows).toEqual([
    { at: 0, indexes: [0, 0] },
    { gap: { from: 10_000, to: 30_000 } },
    { at: 30_000, indexes: [null, 1] },
    { at: 50_000, indexes: [1, null] },
  ]);
  // What is written with the same second is one line; a second reading of it by one device is not lost.
  expect(
    rowsOf(
      [
        curve(
          [
            [100, 1],
            [900, 2],
            [1000, 3],
          ],
          [],
        ),
        curve([[500, 4]], []),
      ],
      { from: 0, to: 60_000 },
    ),
  ).toEqual([
    { at: 100, indexes: [0, 0] },
    { at: 900, indexes: [1, null] },
    { at: 1000, indexes: [2, null] },
  ]);
});

describe('the live end', () => {
  test('begins on a stretch that is already there', () => {
    expect(tailFrom(at('2026-11-20T12:34Z'), 3600)).toBe(at('2026-11-20T10:00Z'));
    expect(tailFrom(at('2026-11-20T12:34Z'), 0)).toBe(at('2026-11-20T11:34Z'));
  });
  const base = series(
    'power',
    [
      [0, 1, null, null, 1, 0],
      [10 * minute, 2, null, null, 1, 0],
      [20 * minute, 3, null, null, 1, 0],
    ],
    { gaps: [] },
  );
  const values = ({ points }: Series) => points.map(([time, value]) => [time / minute, value]);
  test('replaces what it tells anew and adds what is new', () =>
    expect(
      values(
        withTail(
          base,
          series('power', [
            [20 * minute, 3.5, null, null, 1, 0],
            [30 * minute, 4, null, null, 1, 0],
          ]),
          15 * minute,
          0,
        ),
      ),
    ).toEqual([
      [0, 1],
      [10, 2],
      [20, 3.5],
      [30, 4],
    ]));
  test('a gap that went on to the end of the first answer ends where the silence ended', () => {
    const silent = { ...base, gaps: [[20 * minute, 60 * minute]] as [number, number][] };
    expect(
      withTail(
        silent,
        series('power', [[70 * minute, 9, null, null, 1, 0]], { gaps: [[30 * minute, 70 * minute]] }),
        30 * minute,
        0,
      ).gaps,
    ).toEqual([[20 * minute, 70 * minute]]);
    expect(withTail(silent, series('power', [], { gaps: [[30 * minute, 90 * minute]] }), 30 * minute, 0).gaps).toEqual([
      [20 * minute, 90 * minute],
    ]);
  });
});

test('without a choice the power and voltage of lamps, else what is reported', () => {
  const quantity = (key: string, reported = true, kind: 'measured' | 'state' = 'measured') => ({
    key,
    kind,
    unit: null,
    decimals: 0,
    options: null,
    reported,
  });
  const about = (...quantities: ReturnType<typeof quantity>[]): About => [
    { id: 1, family: 'x', code: 'c', name: null, timeZone: 'UTC', quantities },
  ];
  expect(usualQuantities(about(quantity('temperature'), quantity('voltage'), quantity('power')))).toEqual([
    'power',
    'voltage',
  ]);
  expect(usualQuantities(about(quantity('power', false), quantity('tiltX'), quantity('tiltY')))).toEqual([
    'tiltX',
    'tiltY',
  ]);
  expect(usualQuantities(about(quantity('door', true, 'state')))).toEqual(['door']);
  expect(usualQuantities([])).toEqual([]);
});

test('nights of a place, none where they could not be told apart', () => {
  const place = { latitude: 30.2, longitude: 120.2, timeZone: 'Asia/Shanghai', sunOffsetMinutes: 0 };
  const nights = nightsBetween(place, { from: at('2026-11-20T00:00+08:00'), to: at('2026-11-21T00:00+08:00') });
  expect(nights.map(({ from, to }) => [iso(from).slice(0, 13), iso(to).slice(0, 13)])).toEqual([
    ['2026-11-19T09', '2026-11-19T22'],
    ['2026-11-20T09', '2026-11-20T22'],
  ]);
  expect(nightsBetween(place, { from: 0, to: 40 * 24 * hour })).toEqual([]);
  expect(
    nightsBetween({ ...place, latitude: 78 }, { from: at('2026-06-20T00:00Z'), to: at('2026-06-22T00:00Z') }),
  ).toEqual([]);
});
