import { expect, it } from 'vitest';
import { joined, sharesOf, without, type Story } from './availability.ts';

const second = 1000;
const at = (from: number, to: number) => ({ from: from * second, to: to * second });
const span = at(0, 100);

it.each<[what: string, story: Partial<Story>, expected: Partial<ReturnType<typeof sharesOf>>]>([
  ['nothing happened', {}, { due: 100, online: 100, offline: 0 }],
  ['out of reach for a while', { offline: [at(10, 30)] }, { due: 100, online: 80, offline: 20 }],
  ['out of reach across both ends', { offline: [at(-50, 10), at(90, 500)] }, { due: 100, online: 80, offline: 20 }],
  ['what overlaps counts once', { offline: [at(10, 30), at(20, 40)] }, { online: 70, offline: 30 }],
  ['nobody listened: neither online nor offline', { gaps: [at(20, 40)] }, { due: 80, online: 80, unknown: 20 }],
  [
    'out of reach before, during and after nobody listened',
    { offline: [at(10, 50)], gaps: [at(20, 40)] },
    { due: 80, online: 60, offline: 20, unknown: 20 },
  ],
  ['without power by plan nobody asks', { unpowered: [at(0, 60)] }, { due: 40, online: 40, unpowered: 60 }],
  [
    'out of reach when the power came back',
    { unpowered: [at(0, 60)], offline: [at(60, 100)] },
    { due: 40, online: 0, offline: 40, unpowered: 60 },
  ],
  [
    'out of reach never counts twice',
    { unpowered: [at(0, 60)], offline: [at(50, 80)], gaps: [at(70, 75)] },
    { due: 35, offline: 15, online: 20, unpowered: 60, unknown: 5 },
  ],
])('%s', (_what, story, expected) => {
  const shares = sharesOf({ offline: [], unpowered: [], gaps: [], ...story }, span);
  expect(shares).toMatchObject(expected);
  expect(shares.online + shares.offline).toBe(shares.due);
  expect(shares.due + shares.unpowered + shares.unknown).toBe(100);
});

it('an empty span has nothing', () => {
  expect(sharesOf({ offline: [at(0, 10)], unpowered: [], gaps: [] }, at(5, 5))).toEqual({
    due: 0,
    online: 0,
    offline: 0,
    unpowered: 0,
    unknown: 0,
  });
});

it('stretches are joined and cut', () => {
  expect(joined([at(5, 9), at(1, 3), at(3, 4), at(7, 7)])).toEqual([at(1, 4), at(5, 9)]);
  expect(without([at(0, 10)], [at(2, 3), at(5, 20)])).toEqual([at(0, 2), at(3, 5)]);
});
