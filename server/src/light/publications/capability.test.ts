import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PlanAbilities } from '../../../../catalogue/lighting/plan/ability.ts';
import { exampleScheme } from '../../../../catalogue/lighting/plan/examples.ts';
import type { previewPublication } from '../../../../contract/light/publications.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { embedded, onLine } from './testing/line.ts';
import { noon, publishingOffice, wall } from './testing/office.ts';
import { givenRow } from './testing/rows.ts';

const office = await publishingOffice();
const { db, call, clock, get, publish, turn } = office;
beforeEach(() => clock.set(new Date(noon)));

const says = (id: number, plan: PlanAbilities) =>
  sql`INSERT INTO plan_report (device_id, plan_hash, capabilities, reported_at)
    VALUES (${id}, NULL, ${JSON.stringify({ plan })}::jsonb, ${clock.now()})`.execute(db);
const simple: PlanAbilities = { periods: 1, calendar: false, light: false, cycle: false };
const onlySwitches = (id: number) =>
  sql`UPDATE device SET props = props || '{"type":"switch"}' WHERE id = ${id}`.execute(db);
const accepting = { acceptedFindings: ['darker', 'unknownHolidays', 'byTable'] };
const preview = async (deviceIds: readonly number[], schemeId = office.schemeId) =>
  (
    await call<ReplyOf<typeof previewPublication>>('/api/v1/publications/preview', {
      token: office.publisher.token,
      body: { schemeId, scope: { deviceIds } },
    })
  ).body;

// Before there are readings: its program makes their partitions.
describe('a device that says how large a message it takes', () => {
  const line = onLine(office, embedded);

  it('is counted among those that go by the table, and gets no larger one', { timeout: 30_000 }, async () => {
    const [small = 0, usual = 0] = await office.lamps(2);
    const [limited, other] = [
      await line.play(small, 'plan', ({ capabilities, ...said }) => ({
        ...said,
        capabilities: { ...capabilities, messageBytes: 1024 },
      })),
      await line.play(usual, 'plan'),
    ];
    const counted = async () => (await preview([small, usual])).findings.find(({ code }) => code === 'byTable')?.lamps;
    await expect
      .poll(counted, { timeout: 10_000 })
      .toEqual({ count: 1, first: [{ id: small, code: expect.any(String) }] });
    const { body, status } = await publish([small, usual], accepting);
    expect(status, JSON.stringify(body)).toBe(201);
    await turn();
    await expect.poll(() => other.lamp.settings.plan?.scheme, { timeout: 10_000 }).toEqual(expect.any(String));
    await expect.poll(() => limited.lamp.settings.table.length, { timeout: 10_000 }).toBe(3);
    expect(limited.lamp.settings.plan).toBeUndefined();
    expect(Math.max(...limited.bytes)).toBeLessThanOrEqual(1024);
    expect((await get(body.id)).items.find(({ deviceId }) => deviceId === small)).toMatchObject({ planHash: null });
  });
});

it('says before how many go by the table, and how many cannot follow at all', async () => {
  const [able = 0, limited = 0, relay = 0, unknown = 0] = await office.lamps(4);
  await says(able, { ...simple, periods: 6, calendar: true });
  await says(limited, simple);
  await onlySwitches(relay);
  const found = await preview([able, limited, relay, unknown]);
  expect(found.cannot).toEqual([{ reason: 'capability', count: 1 }]);
  expect(found.findings).toContainEqual({
    ...{ code: 'byTable', severity: 'warning', params: { lamps: 1 } },
    lamps: { count: 1, first: [{ id: limited, code: expect.any(String) }] },
  });
  expect(found.changed).toBe(3);
  // A plan of full light and darkness is for relays too.
  const full = { ...exampleScheme(0), programmes: exampleScheme(0).programmes.slice(0, 1) };
  const schemeId = await office.version('scheme', { ...full, calendar: { rules: [], default: 1 } });
  expect((await preview([relay], schemeId)).cannot).toEqual([]);
});

it('judges a lamp that is left out by what it goes on doing', async () => {
  const lamps = await givenRow(db, 3, 'arterial');
  await onlySwitches(lamps[1] ?? 0);
  // 40, 100 and 40: the mean is not below 50.
  const schemeId = await office.version('scheme', exampleScheme(40));
  expect((await preview(lamps, schemeId)).findings.map(({ code }) => code)).not.toContain('belowFloor');
  const bare = await givenRow(db, 3, 'arterial');
  expect((await preview(bare, schemeId)).findings.map(({ code }) => code)).toContain('belowFloor');
});

it('leaves out lamps without the levels; those that go by the table are proven by readings, without a hash', async () => {
  const [limited = 0, relay = 0] = await office.lamps(2);
  await says(limited, simple);
  await onlySwitches(relay);
  const unread = await publish([limited, relay]);
  expect([unread.status, unread.body.findings.map(({ code }) => code)]).toEqual([
    400,
    expect.arrayContaining(['byTable']),
  ]);
  const { body, status } = await publish([limited, relay], accepting);
  expect(status, JSON.stringify(body)).toBe(201);
  await turn();
  const { items } = await get(body.id);
  expect(items.find(({ deviceId }) => deviceId === limited)).toMatchObject({ state: 'told', planHash: null });
  expect(items.find(({ deviceId }) => deviceId === relay)).toMatchObject({ state: 'cannot', reason: 'capability' });
  await office.read(limited, wall('2026-11-23T23:10'), 60);
  clock.set(new Date(wall('2026-11-23T23:12')));
  await turn();
  expect(await get(body.id)).toMatchObject({ phase: 'done', states: { proven: 1, cannot: 1 } });
});

it('a first part of devices that go by the table passes by what they do: nobody reports for them', async () => {
  const lamps = await office.lamps(4);
  for (const id of lamps) await says(id, simple);
  const { body, status } = await publish(lamps, { ...accepting, canary: { count: 2 } });
  expect(status, JSON.stringify(body)).toBe(201);
  await turn();
  for (const { deviceId } of (await get(body.id, 'canary=true')).items)
    await office.read(deviceId, wall('2026-11-23T23:10'), 60);
  clock.set(new Date(wall('2026-11-23T23:12')));
  await turn();
  expect(await get(body.id)).toMatchObject({
    phase: 'judging',
    judged: { passed: true, provenPercent: 100, reportedPercent: null },
  });
});
