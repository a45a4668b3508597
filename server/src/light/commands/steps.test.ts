import { expect, test } from 'vitest';
import { measureSteps } from './changes.ts';

test('steps are measured by lane; what is no step forward is not', () => {
  const told: string[] = [];
  measureSteps(
    (step, lane, milliseconds) => void told.push(`${step} ${lane} ${milliseconds}`),
    [
      { commandId: 1, deviceId: 2, step: 'sent', lane: 0, tookMs: 12 },
      { commandId: 1, deviceId: 3, step: 'acknowledged', lane: 1, tookMs: 250.5 },
      { commandId: 1, deviceId: 4, step: 'confirmed', lane: 3, tookMs: null },
      { commandId: 1, deviceId: 5 },
    ],
  );
  expect(told).toEqual(['sent emergency 12', 'acknowledged manual 250.5']);
});
