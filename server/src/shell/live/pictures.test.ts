import { expect, it } from 'vitest';
import { fullDelta, Remembered, stateDelta, type Picture } from './pictures.ts';

const lamp = (id: number, more: Partial<Picture> = {}): Picture => ({
  id,
  family: 'wifi',
  workAreaId: 1,
  state: 'on',
  online: true,
  fault: null,
  at: null,
  receivedAt: null,
  values: { level: 1 },
  ...more,
});

it('of a city larger than what is remembered with its values a map is told only what changed, a list all values', () => {
  const remembered = new Remembered();
  for (let id = 1; id <= 60_000; id += 1) remembered.replace(lamp(id));
  const before = remembered.replace(lamp(1));
  expect(stateDelta(lamp(1), before.states)).toBeNull();
  expect(stateDelta(lamp(1, { state: 'alarm', fault: 'L101' }), before.states)).toEqual({
    id: 1,
    family: 'wifi',
    state: 'alarm',
    fault: 'L101',
  });
  expect(fullDelta(lamp(1), before.picture)).toMatchObject({ values: { level: 1 } });
  expect(fullDelta(lamp(60_000), remembered.replace(lamp(60_000)).picture)).toBeNull();
  remembered.clear();
  expect(stateDelta(lamp(1), remembered.replace(lamp(1)).states)).toMatchObject({ state: 'on' });
});
