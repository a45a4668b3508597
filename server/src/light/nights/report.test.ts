import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { exampleProgramme, exampleScheme } from '../../../../catalogue/lighting/plan/examples.ts';
import { givenDevice } from '../../testing/devices.ts';
import { sheetsHere } from '../../testing/sheets.ts';
import { givenLoop } from '../publications/testing/rows.ts';
import { nightExportTask } from './export-task.ts';
import { monday, nightOffice, wall } from './testing/night-office.ts';

const office = await nightOffice();
const { db, get, lampsOf, read } = office;

/** Everything that a lamp says in a night that it obeys. */
async function obey(id: number): Promise<void> {
  await read(id, '2026-11-23T17:00', 100);
  await read(id, '2026-11-23T23:05', 60);
  await read(id, '2026-11-24T07:30', 0);
}

it('counts in the morning who ran the plan, and says why of everybody else', async () => {
  const version = await office.version();
  const [ran = 0, lies = 0, broken = 0, away = 0, silent = 0, blind = 0, manual = 0] = await office.lamps(7, version);
  const [unplaced = 0, newer = 0] = await office.lamps(2, null);
  await sql`UPDATE device SET created_at = ${wall('2026-11-24T09:00')} WHERE id = ${newer}`.execute(db);
  await obey(ran);
  // It stays at full level at 23:00, and it is dark at its on-time with a fault that is open.
  await read(lies, '2026-11-23T17:00', 100);
  await read(lies, '2026-11-23T23:05', 100);
  await read(lies, '2026-11-24T07:30', 0);
  await read(broken, '2026-11-23T17:00', 0);
  await sql`INSERT INTO fault_log (device_id, fault, began_at) VALUES (${broken}, 'L101', ${wall('2026-11-20T18:00')})`.execute(
    db,
  );
  await read(away, '2026-11-23T17:00', 100);
  await sql`INSERT INTO connection_log (device_id, kind, reason, began_at, noticed_at, last_at)
    VALUES (${away}, 'offline', 'silent', ${wall('2026-11-23T20:00')}, ${wall('2026-11-23T21:00')},
      ${wall('2026-11-23T20:00')})`.execute(db);
  await sql`UPDATE device SET enabled = false WHERE id = ${blind}`.execute(db);
  // Switched off by hand from 22:00 to 01:00: that is what it was to do, and it did.
  const { rows } = await sql<{ id: number }>`INSERT INTO command (command, args, actor_name, created_at, until)
    VALUES ('off', '{}', 'x', ${wall('2026-11-23T22:00')}, ${wall('2026-11-24T01:00')}) RETURNING id`.execute(db);
  await sql`INSERT INTO command_item (command_id, device_id, state, expires_at, acknowledged_at, executed_at, until)
    VALUES (${rows[0]?.id}, ${manual}, 'confirmed', ${wall('2026-11-23T22:05')}, ${wall('2026-11-23T22:00')},
      ${wall('2026-11-23T22:00')}, ${wall('2026-11-24T01:00')})`.execute(db);
  await read(manual, '2026-11-23T17:00', 100);
  await read(manual, '2026-11-23T22:10', 0);
  await read(manual, '2026-11-23T23:10', 0);
  await read(manual, '2026-11-24T01:05', 60);
  await read(manual, '2026-11-24T07:30', 0);
  await sql`UPDATE device SET latitude = NULL, longitude = NULL WHERE id = ${unplaced}`.execute(db);
  await read(unplaced, '2026-11-23T17:10', 100);

  await office.at('2026-11-24T09:59');
  expect((await get()).report).toBe('planned');
  await office.at('2026-11-24T10:00');
  const night = await get();
  expect(night).toMatchObject({
    report: 'done',
    reportedAt: wall('2026-11-24T10:00').toISOString(),
    counts: { lamps: 8, ran: 3, diverged: 2, away: 1, silent: 1, plannedDark: 0, notJudged: 1 },
    byArea: [{ workAreaId: 1, name: '默认区域', counts: { lamps: 8, ran: 3 } }],
  });
  expect(night.reasons).toEqual([
    { part: 'report', outcome: 'away', reason: 'away', lamps: 1 },
    { part: 'report', outcome: 'diverged', reason: 'fault', lamps: 1 },
    { part: 'report', outcome: 'diverged', reason: 'unknown', lamps: 1 },
    { part: 'report', outcome: 'silent', reason: 'unknown', lamps: 1 },
    { part: 'report', outcome: 'notJudged', reason: 'newer', lamps: 1 },
  ]);
  const { data, recordsTotal } = await lampsOf();
  expect(recordsTotal).toBe(5);
  expect(data.map(({ deviceId, outcome, reason }) => [deviceId, outcome, reason])).toEqual([
    [away, 'away', 'away'],
    [broken, 'diverged', 'fault'],
    [lies, 'diverged', 'unknown'],
    [silent, 'silent', 'unknown'],
    [newer, 'notJudged', 'newer'],
  ]);
  expect(data[0]).toMatchObject({ since: wall('2026-11-23T20:00').toISOString(), expected: 60, observed: null });
  expect(data[1]).toMatchObject({ detail: 'L101', expected: 100, observed: 0, misses: 1 });
  expect(data[2]).toMatchObject({ stepAt: wall('2026-11-23T23:00').toISOString(), expected: 60, observed: 100 });
  const opened = async (query: string) => (await lampsOf(query)).data.map(({ deviceId }) => deviceId);
  expect(await opened('outcome=ran')).toEqual([ran, manual, unplaced]);
  expect(await opened('outcome=diverged&reason=fault')).toEqual([broken]);
  expect(await opened('outcome=away&areaId=1&page=1&size=1')).toEqual([away]);
  const code = data[2]?.code ?? '';
  expect(await opened(`q=${code}`)).toContain(lies);
});

it('counts lamps that their pattern leaves dark by themselves, and one that burns all the same', async () => {
  const content = exampleScheme();
  const [usual] = content.programmes;
  const dark = usual && {
    ...usual,
    programme: {
      ...usual.programme,
      periods: usual.programme.periods.map((one) => ({ ...one, pattern: 'alternateOne' as const })),
    },
  };
  const version = await office.version({
    ...content,
    mode: 'alternateOne',
    rotation: 'fixed',
    programmes: dark ? [dark, ...content.programmes.slice(1)] : [],
  });
  const lamps = await office.lamps(6, version);
  for (const [position, id] of lamps.entries()) {
    const { rows } = await sql<{ id: number }>`INSERT INTO device (family, work_area_id, equipment_code, road_id)
      VALUES ('lamp-pole', 1, ${`P-${id}`}, 1) RETURNING id`.execute(db);
    const pole = rows[0]?.id ?? 0;
    await sql`UPDATE device SET pole_id = ${pole} WHERE id = ${id}`.execute(db);
    await sql`INSERT INTO lamp_position (pole_id, road_id, side, position, row_length, source)
      VALUES (${pole}, 1, 'left', ${position}, 6, 'auto')`.execute(db);
  }
  await sql`DELETE FROM plan_night`.execute(db);
  const [first = 0, dark1 = 0, second = 0, burns = 0, third = 0, last = 0] = lamps;
  for (const id of [first, second, third, last]) await obey(id);
  await read(burns, '2026-11-23T17:00', 100);
  office.restart();
  await office.at('2026-11-24T10:00');
  expect((await get()).counts).toMatchObject({ plannedDark: 1, diverged: 3 });
  const darkOnes = await lampsOf('outcome=plannedDark');
  expect(darkOnes.data).toMatchObject([{ deviceId: dark1, outcome: 'plannedDark', reason: null }]);
  expect((await lampsOf('outcome=diverged')).data.map(({ deviceId }) => deviceId)).toContain(burns);
});

it('tells of an area which of its lamps ran by the night of that area alone', async () => {
  const [dark = 0] = (await lampsOf('outcome=plannedDark')).data.map(({ deviceId }) => deviceId);
  // The lamp belongs to an area now whose own night left nothing dark.
  await sql`INSERT INTO work_area (id, work_code, work_name) VALUES (3, 'A3', '邻区')`.execute(db);
  await sql`INSERT INTO plan_night (work_area_id, day, report, reported_at)
    VALUES (3, ${monday}, 'done', ${wall('2026-11-24T10:00')})`.execute(db);
  await sql`UPDATE device SET work_area_id = 3 WHERE id = ${dark}`.execute(db);
  const { app } = office;
  const neighbour = await app.signIn({ username: 'neighbour', permissions: ['plan.query'], workAreas: [3] });
  const { body } = await app.call<{ data: { deviceId: number }[] }>(`/api/v1/plan-nights/${monday}/lamps?outcome=ran`, {
    token: neighbour.token,
  });
  expect(body.data.map(({ deviceId }) => deviceId)).toEqual([dark]);
  await sql`UPDATE device SET work_area_id = 1 WHERE id = ${dark}`.execute(db);
});

it('judges no step that came before the lamp was given what it follows now', async () => {
  const [version, next] = [await office.version(), await office.version(exampleScheme(20))];
  const [returned = 0, early = 0, planned = 0] = await office.lamps(3, version);
  const give = (id: number, day: string, at: string) =>
    sql`INSERT INTO plan_assignment (device_id, scheme_version_id, from_day, assigned_by, at)
      VALUES (${id}, ${next}, ${day}, 'test', ${wall(at)})`.execute(db);
  for (const id of [returned, planned]) await obey(id);
  // In the morning all of the night is over; at 22:30 its step of 23:00 is still to come; of the next night all is.
  await give(returned, monday, '2026-11-24T08:00');
  await give(early, monday, '2026-11-23T22:30');
  await give(planned, '2026-11-24', '2026-11-23T22:30');
  await read(early, '2026-11-23T17:00', 0);
  await read(early, '2026-11-23T23:05', 20);
  await read(early, '2026-11-24T07:30', 0);
  await sql`DELETE FROM plan_night`.execute(db);
  office.restart();
  await office.at('2026-11-24T10:00');
  const outcomes = new Map((await lampsOf('size=100')).data.map((one) => [one.deviceId, [one.outcome, one.reason]]));
  expect(outcomes.get(returned)).toEqual(['notJudged', 'replaced']);
  const ran = (await lampsOf('outcome=ran&size=100')).data.map(({ deviceId }) => deviceId);
  expect(ran).toEqual(expect.arrayContaining([early, planned]));
});

it('goes on where the process died, and counts no lamp twice', async () => {
  const before = await get();
  const [some = 0] = (await lampsOf('outcome=ran')).data.map(({ deviceId }) => deviceId);
  // It had counted up to this lamp.
  await sql`DELETE FROM plan_night_lamp WHERE device_id > ${some}`.execute(db);
  await sql`DELETE FROM plan_night_dark`.execute(db);
  await sql`UPDATE plan_night SET report = 'counting', reported_to = ${some}, reported_at = NULL,
    counts = '{"ran": 1}'`.execute(db);
  office.restart();
  await office.at('2026-11-24T10:01');
  expect((await get()).counts).toEqual(before.counts);
  // Once for a night: nothing changes any more.
  await office.at('2026-11-24T11:00');
  expect((await get()).reportedAt).toBe(wall('2026-11-24T10:01').toISOString());
});

it('judges the other lamps where one cannot be judged, and says so once', async () => {
  const [broken = 0] = await office.lamps(1, await office.version());
  const { rows } = await sql<{ id: number }>`SELECT scheme_version_id AS id FROM plan_assignment
    WHERE device_id = ${broken}`.execute(db);
  const contentOf = (content: object) =>
    sql`UPDATE scheme_version SET content = ${JSON.stringify(content)}::jsonb WHERE id = ${rows[0]?.id}`.execute(db);
  const before = await get();
  await contentOf({});
  await sql`DELETE FROM plan_night`.execute(db);
  office.restart();
  await expect(office.at('2026-11-24T10:00')).rejects.toThrow(TypeError);
  const night = await get();
  expect(night.report).toBe('done');
  expect(night.counts.lamps).toBe(before.counts.lamps + 1);
  expect((await lampsOf('reason=failed')).data.map(({ deviceId }) => deviceId)).toEqual([broken]);
  expect((await lampsOf('outcome=ran')).recordsTotal).toBe(before.counts.ran);
  expect(night.rehearsal.phase).not.toBe('asking');
  await contentOf(exampleScheme());
  office.restart();
});

it('writes the lamps of a night with their outcome and why into a file', async () => {
  const task = nightExportTask({ db, sheets: sheetsHere(office.app), areasOf: () => Promise.resolve('all' as const) })[
    'export.plan-night'
  ];
  const reader = { language: 'en-US' as const, timezoneOffset: 0, accountId: 1 };
  const params = { day: monday, format: 'csv' as const, outcome: 'diverged' as const, workAreaId: null };
  const { recordsTotal } = await lampsOf('outcome=diverged');
  expect(await task.check(params, reader)).toEqual({ total: recordsTotal });
  const file = await task.run(params, reader, () => undefined, new AbortController().signal);
  const lines = (await text(file?.content ?? Readable.from([]))).replace('\ufeff', '').trimEnd().split('\r\n');
  expect([file?.name, lines.length]).toEqual([`Check of the night ${monday}.csv`, recordsTotal + 1]);
  expect(lines[0]).toMatch(/^Device code,Device name,Project,Road,Outcome,Why,Since,/);
  expect(lines.find((line) => line.includes('L101'))).toContain(
    'Differs from the plan,"Fault of the lamp, driver or relay",2026-11-20 18:00:00,L101,',
  );
  expect(await task.check({ ...params, outcome: 'ran' }, reader)).toEqual({
    total: (await lampsOf('outcome=ran')).recordsTotal,
  });
});

it('writes nothing of areas into a file that its reader does not see', async () => {
  await sql`INSERT INTO work_area (id, work_code, work_name) VALUES (33, 'A33', '远区')`.execute(db);
  await sql`INSERT INTO road (id, work_area_id, road_code, road_name) VALUES (903, 33, 'R903', '密路')`.execute(db);
  const foreign = await givenDevice(db, { workAreaId: 33, roadId: 903 });
  await sql`INSERT INTO plan_night (work_area_id, day, report, reported_at) VALUES (33, ${monday}, 'done', now())`.execute(
    db,
  );
  await sql`INSERT INTO plan_night_lamp (day, part, work_area_id, device_id, outcome, reason)
    VALUES (${monday}, 'report', 33, ${foreign}, 'silent', 'unknown')`.execute(db);
  const linesFor = async (areas: readonly number[]) => {
    const parts = { db, sheets: sheetsHere(office.app), areasOf: () => Promise.resolve(areas) };
    const task = nightExportTask(parts)['export.plan-night'];
    const reader = { language: 'en-US' as const, timezoneOffset: 0, accountId: 1 };
    const params = { day: monday, format: 'csv' as const, workAreaId: null };
    const file = await task.run(params, reader, () => undefined, new AbortController().signal);
    const lines = (await text(file?.content ?? Readable.from([]))).trimEnd().split('\r\n').slice(1);
    expect(await task.check(params, reader)).toEqual({ total: lines.length });
    return lines;
  };
  const [own, others] = [await linesFor([1]), await linesFor([33])];
  expect(own.length).toBeGreaterThan(1);
  expect(own.join('\n')).not.toMatch(/远区|密路/);
  expect(others).toEqual([expect.stringMatching(/远区,密路/)]);
  await expect(linesFor([99])).rejects.toThrow('foreignWorkArea');
  await sql`DELETE FROM plan_night WHERE work_area_id = 33`.execute(db);
  await sql`DELETE FROM device WHERE id = ${foreign}`.execute(db);
});

it('lists nights, the latest first; a night that is not there is not found, a foreign area refused', async () => {
  const { app, reader } = office;
  await sql`INSERT INTO work_area (id, work_code, work_name) VALUES (2, 'A2', '别处')`.execute(db);
  const list = await app.call<{ data: { day: string; areas: number }[]; recordsTotal: number }>('/api/v1/plan-nights', {
    token: reader.token,
  });
  expect(list.body.data.map(({ day, areas }) => [day, areas])).toContainEqual([monday, 1]);
  const stranger = await app.signIn({ username: 'elsewhere', permissions: ['plan.query'], workAreas: [2] });
  const statusOf = async (path: string, token: string) =>
    (await app.call(`/api/v1/plan-nights${path}`, { token })).status;
  for (const path of ['/2026-02-30', '/2026-13-01/lamps'])
    expect(await app.call(`/api/v1/plan-nights${path}`, { token: reader.token })).toMatchObject({
      status: 400,
      body: { params: [{ field: 'day', rule: 'date', message: expect.stringMatching(/\d{4}-\d\d-\d\d/) }] },
    });
  expect(await statusOf('/2020-01-01/lamps', reader.token)).toBe(404);
  expect(await statusOf(`/${monday}`, stranger.token)).toBe(403);
  expect(await statusOf(`/${monday}/lamps?areaId=1`, stranger.token)).toBe(403);
  expect(await statusOf(`/${monday}/lamps?areaId=2`, reader.token)).toBe(403);
});

it('passes over steps at which the loop of a lamp has no power by its plan', async () => {
  const { periods, ...programme } = exampleProgramme();
  const late = {
    ...exampleScheme(),
    programmes: [
      {
        key: 1,
        name: '平日',
        programme: {
          ...programme,
          periods: periods.map((one) =>
            one.start === 'on' ? one : { ...one, start: { at: '02:00', offsetMinutes: 0 } },
          ),
        },
      },
    ],
    calendar: { rules: [], default: 1 },
  } as const;
  const day = '2026-12-07';
  const lamps = await office.lamps(3, await office.version(late));
  const [half = 0, whole = 0, mute = 0] = lamps;
  await givenLoop(db, [half, mute], 'half_night');
  await givenLoop(db, [whole], 'all_night');
  for (const lamp of [half, whole]) await read(lamp, `${day}T17:05`, 100);
  for (const lamp of lamps)
    await sql`INSERT INTO connection_log (device_id, kind, reason, began_at, noticed_at, last_at)
      VALUES (${lamp}, 'offline', 'silent', ${wall(`${day}T23:50`)}, ${wall(`${day}T23:59`)}, ${wall(`${day}T23:50`)})`.execute(
      db,
    );
  await office.at('2026-12-08T10:00');
  const { data } = await lampsOf('', day);
  const outcomes = new Map(data.map(({ deviceId, outcome, expected }) => [deviceId, [outcome, expected]]));
  expect(lamps.map((lamp) => outcomes.get(lamp))).toEqual([undefined, ['away', 60], ['silent', 100]]);
});
