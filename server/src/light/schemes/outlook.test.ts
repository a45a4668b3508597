import { expect, test } from 'vitest';
import { exampleScheme } from '../../../../catalogue/lighting/plan/examples.ts';
import { addDays } from '../../../../catalogue/lighting/zone.ts';
import { givenDevice } from '../../testing/devices.ts';
import { schemeOffice } from './testing/office.ts';

const { app, create, db, freeze, frozen, listed, save } = await schemeOffice();

test('a list says what schemes in force take this month, against the version before, and when they change', async () => {
  const today = app.clock.now().toISOString().slice(0, 10);
  const changes = addDays(today, 40);
  const constant = (level: number) => ({
    ...exampleScheme(),
    programmes: exampleScheme().programmes.map((one) => ({
      ...one,
      name: one.key === 1 ? '平日' : '冬季',
      programme: { ...one.programme, periods: [{ start: 'on', level, pattern: 'all', rampSeconds: 0 }] },
    })),
    calendar: {
      default: 1,
      rules: [
        {
          programme: 2,
          label: '冬季',
          enabled: true,
          when: [{ kind: 'range', from: changes, to: addDays(changes, 60) }],
        },
      ],
    },
  });
  const { id } = await create();
  await save(id, 1, constant(100));
  await freeze(id, 2);
  await save(id, 3, constant(50));
  await freeze(id, 4);
  const unused = await frozen();
  const version = await db
    .selectFrom('scheme_version')
    .select('id')
    .where('scheme_id', '=', id)
    .where('number', '=', 2)
    .executeTakeFirstOrThrow();
  const lamps = await Promise.all([1, 2].map(() => givenDevice(db, { workAreaId: 20, roadId: null })));
  await db
    .insertInto('plan_assignment')
    .values(
      lamps.map((lamp) => ({
        device_id: lamp,
        scheme_version_id: version.id,
        from_day: '2025-01-01',
        assigned_by: 'chief',
        at: app.clock.now(),
      })),
    )
    .execute();
  const rows = (await listed('outlook=true&size=200')).data;
  expect(rows.find((row) => row.id === unused.id)?.outlook).toBeNull();
  const outlook = rows.find((row) => row.id === id)?.outlook;
  expect(outlook?.nextChange).toEqual({ day: changes, programme: '冬季' });
  // Two lamps of 100 W: nights of 9 to 15 hours at 100 %; at 50 % an LED takes 48.5 %.
  const base = outlook?.month.base;
  expect(base?.number).toBe(1);
  expect(base?.kwh).toBeGreaterThan(0.2 * 28 * 9);
  expect(base?.kwh).toBeLessThan(0.2 * 31 * 15);
  expect((outlook?.month.kwh ?? 0) / (base?.kwh ?? 0)).toBeCloseTo(0.485, 6);
  expect((await listed('size=200')).data.find((row) => row.id === id)?.outlook).toBeNull();
});
