import { expect, test } from 'vitest';
import { Answers } from './answers.ts';

const asked = (commandId: number, deviceId = 7) => ({ commandId, deviceId, viaId: null });

test('a command has the same number on the next connection, and another command another one', () => {
  const [before, after] = [new Answers(), new Answers()];
  const number = before.numberOf(asked(70_000));
  expect(after.numberOf(asked(70_001))).not.toBe(number);
  expect(after.asked(number)).toBeUndefined();
  expect(after.numberOf(asked(70_000))).toBe(number);
  expect(after.asked(number)).toEqual(asked(70_000));
});

test('numbers are 1 to 65,535, and one that is taken goes to nobody else', () => {
  const answers = new Answers();
  const numbers = [65_534, 65_534 + 65_535, 65_535, 0].map((commandId) => answers.numberOf(asked(commandId)));
  expect(numbers).toEqual([65_535, 1, 2, 3]);
  expect(answers.numberOf(asked(65_534))).toBe(65_535);
});
