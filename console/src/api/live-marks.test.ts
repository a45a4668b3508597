import { expect, test } from 'vitest';
import { LiveMarks } from './live-marks.ts';

const [second, minute] = [1000, 60_000];
/** A clock that only counts, and the server's, which is somewhere else. */
function given() {
  let ticks = 5000;
  const start = Date.parse('2026-11-20T00:00:00Z');
  const marks = new LiveMarks(() => ticks);
  return {
    marks,
    at: (ms: number) => new Date(start + ms).toISOString(),
    pass: (ms: number) => {
      ticks += ms;
    },
  };
}

test('a topic is asked for since the server’s time of what is shown; where nobody says, since what may have been kept when it began to be shown', () => {
  const { marks, at, pass } = given();
  marks.need('home');
  marks.need('lamps', at(-3 * minute));
  pass(4 * second);
  expect(marks.since('home'), 'the server was not heard yet').toBeUndefined();
  marks.welcome(at(0));
  expect(marks.since('home')).toBe(at(-29 * second));
  expect(marks.since('lamps')).toBe(at(-3 * minute));
});

test('what was asked counts as told when the ping behind it is answered, not by an earlier one', () => {
  const { marks, at } = given();
  marks.welcome(at(0));
  marks.ping();
  marks.need('lamps', at(-minute));
  marks.ping();
  marks.pong(at(second));
  expect(marks.since('lamps')).toBe(at(-minute));
  marks.pong(at(2 * second));
  expect(marks.since('lamps')).toBe(at(2 * second));
  marks.tell(at(3 * second));
  expect(marks.since('lamps')).toBe(at(3 * second));
});

test('a connection that breaks before that leaves it to be asked again, since the older time', () => {
  const { marks, at } = given();
  marks.welcome(at(0));
  marks.tell(at(0));
  marks.need('lamps', at(-minute));
  marks.ping();
  marks.welcome(at(10 * second));
  marks.pong(at(11 * second));
  expect(marks.since('lamps')).toBe(at(-minute));
  expect(marks.since('home')).toBe(at(11 * second));
});

test('an answer without a time says only that what was asked was told; of another work area nothing was', () => {
  const { marks, at } = given();
  marks.welcome(at(0));
  marks.tell(at(0));
  marks.need('lamps', at(-minute));
  marks.ping();
  marks.pong(undefined);
  expect(marks.since('lamps')).toBe(at(0));
  marks.forget();
  expect(marks.since('lamps')).toBeUndefined();
});
