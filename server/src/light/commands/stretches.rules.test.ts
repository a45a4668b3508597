import { expect, it } from 'vitest';
import { commandStates } from '../../../../contract/light/commands.ts';
import { byUrgency, stretchesOf } from './stretches.rules.ts';

const counts = { failed: 2, timedOut: 1, sent: 4, confirmed: 10, cancelled: 3 };
/** What a page holds, told by the urgency and the place in it. */
const told = (offset: number, limit: number, wanted?: string[]) =>
  stretchesOf(counts, wanted, { offset, limit }).flatMap((stretch) =>
    Array.from(
      { length: stretch.limit },
      (_none, index) =>
        `${byUrgency.findIndex((states) => states.includes(stretch.states[0]!))}.${stretch.offset + index}`,
    ),
  );
const all = [
  '0.0',
  '0.1',
  '0.2',
  '1.0',
  '1.1',
  '1.2',
  '1.3',
  '2.0',
  '2.1',
  '2.2',
  ...Array.from({ length: 10 }, (_none, index) => `3.${index}`),
];

it('every page is its stretch of the whole', () => {
  expect(told(0, 1000)).toEqual(all);
  for (let offset = 0; offset <= 22; offset += 1)
    for (const limit of [1, 3, 7, 20])
      expect(told(offset, limit), `${offset} ${limit}`).toEqual(all.slice(offset, offset + limit));
});

it('of the states that are asked for alone', () => {
  expect(stretchesOf(counts, ['timedOut', 'confirmed'], { offset: 0, limit: 5 })).toEqual([
    { states: ['timedOut'], offset: 0, limit: 1 },
    { states: ['confirmed'], offset: 0, limit: 4 },
  ]);
  expect(stretchesOf(counts, ['queued'], { offset: 0, limit: 5 })).toEqual([]);
});

it('knows every state', () => {
  expect(byUrgency.flat().toSorted()).toEqual([...commandStates].toSorted());
});
