import { expect, it } from 'vitest';
import { createRegistry } from '../../platform/metrics/index.ts';
import { publicationMetrics } from './metrics.ts';
import { minuteMs, publishingOffice } from './testing/office.ts';

const office = await publishingOffice();
const { clock } = office;

it('lamps with a plan are counted from the start on, and soon after the first ones have one', async () => {
  const steps = office.process();
  const registry = createRegistry();
  for (const declare of publicationMetrics(office.db, steps)) declare(registry);
  const lines = async () =>
    (await registry.text()).split('\n').filter((line) => line.startsWith('lampyris_plan_devices{'));
  await steps.turn();
  expect(await lines()).toEqual(
    ['given', 'told', 'reported', 'proven', 'diverged', 'away', 'cannot', 'superseded'].map(
      (state) => `lampyris_plan_devices{state="${state}"} 0`,
    ),
  );
  const { status, body } = await office.publish(await office.lamps(2));
  expect(status, JSON.stringify(body)).toBe(201);
  await steps.turn();
  clock.set(new Date(clock.now().getTime() + minuteMs));
  await steps.turn();
  expect(await lines()).toContain('lampyris_plan_devices{state="told"} 2');
});
