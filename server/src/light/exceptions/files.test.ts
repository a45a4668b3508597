import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import { readSheet } from 'read-excel-file/node';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TaskKind } from '../../desk/tasks/index.ts';
import { givenDevice } from '../../testing/devices.ts';
import { sheetsHere } from '../../testing/sheets.ts';
import { publicationExportTasks } from '../publications/index.ts';
import { minuteMs, noon, publishingOffice, wall } from '../publications/testing/office.ts';
import { exceptionExportTask } from './export-task.ts';
import { exceptionsRoutes } from './index.ts';

const office = await publishingOffice((parts) => exceptionsRoutes(parts));
const { app, db, call, clock, publish, turn } = office;
// A road of which no light is asked.
await sql`UPDATE road SET road_class = 'lane'`.execute(db);
const { token } = await app.signIn({
  username: 'planner',
  permissions: ['plan.exception', 'plan.publish', 'plan.query', 'lamp.approve'],
  workAreas: [1],
});
const parts = { db, clock, sheets: sheetsHere(app), areasOf: () => Promise.resolve([1]) };
const tasks = { ...publicationExportTasks(parts), ...exceptionExportTask(parts) };
const reader = { language: 'en-US' as const, timezoneOffset: 0, accountId: 1 };
beforeEach(() => clock.set(new Date(noon)));
beforeAll(async () => {
  await sql`INSERT INTO work_area (id, work_code, work_name) VALUES (2, 'S', '西区')`.execute(db);
  await sql`INSERT INTO road (id, work_area_id, road_code, road_name) VALUES (900, 2, 'R900', '密路')`.execute(db);
});

async function rowsOf<P extends { readonly format: 'xlsx' | 'csv' }>(task: TaskKind<P>, params: P) {
  const { total } = await task.check(params, reader);
  const file = await task.run(params, reader, () => undefined, new AbortController().signal);
  const bytes = await buffer(file?.content ?? Readable.from([]));
  const rows =
    params.format === 'xlsx'
      ? await readSheet(bytes)
      : bytes
          .toString()
          .replace('\ufeff', '')
          .trimEnd()
          .split('\r\n')
          .map((line) => line.split(','));
  expect(rows).toHaveLength(Number(total) + 1);
  return { name: file?.name, rows };
}
const all = { workAreaId: null } as const;

describe('the files of publications', () => {
  it('have every publication, and every lamp of one with its times, its proof and why not', async () => {
    const [proves = 0, off = 0] = await office.lamps(2);
    await givenDevice(db, { workAreaId: 2, roadId: 900 });
    await sql`UPDATE device SET enabled = false WHERE id = ${off}`.execute(db);
    const both = await app.signIn({ username: 'both', permissions: ['plan.publish'], workAreas: [1, 2] });
    const scope = { roadIds: [900], deviceIds: [proves, off] };
    const { id } = (await publish([], { scope }, both.token)).body;
    await turn();
    await office.read(proves, wall('2026-11-23T23:05'), 60);
    clock.set(new Date(wall('2026-11-23T23:10')));
    await turn();
    for (const format of ['xlsx', 'csv'] as const) {
      const { rows, name } = await rowsOf(tasks['export.publications'], { format, q: 'both', ...all });
      expect(name).toBe(`Publications 2026-11-23.${format}`);
      const [titles, row] = rows;
      const cell = (title: string) => String(row?.[titles?.indexOf(title) ?? -1]);
      expect(titles?.filter((title) => cell(String(title)).includes('密路'))).toEqual([]);
      expect([cell('No.'), cell('What'), cell('Lamps'), cell('Proven'), cell('Cannot')]).toEqual([
        String(id),
        expect.stringContaining('v1'),
        '3',
        '1',
        '1',
      ]);
      const lamps = await rowsOf(tasks['export.publication-lamps'], { format, publicationId: id, ...all });
      // The lamp of an area that the account does not see is not among them.
      expect(lamps.rows).toHaveLength(3);
      const at = (line: number, title: string) => lamps.rows[line]?.[lamps.rows[0]?.indexOf(title) ?? -1] ?? null;
      expect([at(1, 'State'), Number(at(1, 'Planned level (%)')), Number(at(1, 'Observed level (%)'))]).toEqual([
        'Proven',
        60,
        60,
      ]);
      // Offset 0 is the clock of Beijing; a sheet keeps times to some milliseconds.
      const proven = at(1, 'Planned step');
      const step = proven instanceof Date ? proven.getTime() : Date.parse(`${String(proven).replace(' ', 'T')}Z`);
      expect(Math.round(step / minuteMs) * minuteMs).toBe(Date.parse('2026-11-23T23:00:00Z'));
      expect([at(2, 'State'), at(2, 'Why')]).toEqual(['Cannot', 'Disabled']);
      const some = { format, publicationId: id, state: 'cannot', ...all };
      expect((await rowsOf(tasks['export.publication-lamps'], some)).rows).toHaveLength(2);
    }
    await db.updateTable('device').set({ equipment_name: '桥头灯' }).where('id', '=', off).execute();
    await sql`UPDATE publication_item SET canary = true WHERE publication_id = ${id} AND device_id = ${proves}`.execute(
      db,
    );
    const { road_id: road } = await db
      .selectFrom('device')
      .select('road_id')
      .where('id', '=', proves)
      .executeTakeFirstOrThrow();
    const narrowed = async (by: { q?: string; roadId?: number; canary?: boolean }) => {
      const asked = { format: 'csv' as const, publicationId: id, ...by, ...all };
      const { rows } = await rowsOf(tasks['export.publication-lamps'], asked);
      return rows.slice(1).map((row) => row[rows[0]?.indexOf('State') ?? -1]);
    };
    expect(await narrowed({ q: ' 桥头 ' })).toEqual(['Cannot']);
    expect(await narrowed({ canary: true })).toEqual(['Proven']);
    expect(await narrowed({ roadId: Number(road) })).toEqual(['Proven', 'Cannot']);
    expect(await narrowed({ roadId: 999_999 })).toEqual([]);
    const none = { format: 'csv' as const, publicationId: 999_999, ...all };
    await expect(tasks['export.publication-lamps'].check(none, reader)).rejects.toThrow('notFound');
  });
});

describe('the file of exceptions', () => {
  it('has what is filtered, in words of the reader', async () => {
    const lamps = await office.lamps(2);
    const made = await call<{ id: number }>('/api/v1/plan-exceptions', {
      token,
      body: {
        scope: { deviceIds: lamps },
        fromDay: '2026-11-24',
        toDay: '2026-11-25',
        op: 'max',
        level: 90,
        reason: '元宵灯会保障',
      },
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    for (const format of ['xlsx', 'csv'] as const) {
      const { rows } = await rowsOf(tasks['export.plan-exceptions'], { format, q: '元宵', state: 'planned', ...all });
      const [titles, row] = rows;
      const cell = (title: string) => String(row?.[titles?.indexOf(title) ?? -1]);
      expect([cell('No.'), cell('Reason'), cell('Light'), cell('Lamps'), cell('First lighting day')]).toEqual([
        String(made.body.id),
        '元宵灯会保障',
        'at least 90%',
        '2',
        '2026-11-24',
      ]);
    }
    const refused = await rowsOf(tasks['export.plan-exceptions'], { format: 'csv', state: 'refused', ...all });
    expect(refused.rows).toHaveLength(1);
    // Lamps below the floor are those of the end that waits, as in the list; one that nobody agreed to in time counts no more.
    const below = async (expiresAt: string): Promise<string> => {
      const floor = [{ roadClass: 'arterial', lamps: 12, floor: 50, level: 30 }];
      const asked = { askedBy: 'planner', askedById: 1, askedAt: '2026-11-23T03:00:00Z', why: '提前完成', darkens: 2 };
      const ending = JSON.stringify({ ...asked, belowFloor: floor, expiresAt, approved: null });
      await sql`UPDATE plan_exception SET ending = ${ending}::jsonb WHERE id = ${made.body.id}`.execute(db);
      const { rows } = await rowsOf(tasks['export.plan-exceptions'], { format: 'csv', q: '元宵', ...all });
      return String(rows[1]?.[rows[0]?.indexOf('Below the floor of their road') ?? -1]);
    };
    expect(await below(new Date(clock.now().getTime() + minuteMs).toISOString())).toBe('12');
    expect(await below(new Date(clock.now().getTime() - minuteMs).toISOString())).toBe('0');
    await sql`UPDATE plan_exception SET ending = NULL WHERE id = ${made.body.id}`.execute(db);
  });

  it('names no place and counts no lamp that the reader does not see, and has no exception of foreign lamps alone', async () => {
    const [own = 0] = await office.lamps(1);
    await givenDevice(db, { workAreaId: 2, roadId: 900 });
    const both = await app.signIn({ username: 'wide', permissions: ['plan.exception'], workAreas: [1, 2] });
    const except = async (scope: object, reason: string) => {
      const { status, body } = await call<{ id: number }>('/api/v1/plan-exceptions', {
        token: both.token,
        body: { scope, fromDay: '2026-11-24', toDay: '2026-11-25', op: 'max', level: 90, reason },
      });
      expect(status, JSON.stringify(body)).toBe(201);
      return body.id;
    };
    const shared = await except({ roadIds: [900], deviceIds: [own] }, '跨区保障一');
    await except({ roadIds: [900], workAreaId: 2 }, '跨区保障二');
    const wide = exceptionExportTask({ ...parts, areasOf: () => Promise.resolve([1, 2]) })['export.plan-exceptions'];
    for (const format of ['xlsx', 'csv'] as const) {
      const asked = { format, q: '跨区保障', ...all };
      const { rows } = await rowsOf(tasks['export.plan-exceptions'], asked);
      expect(rows.slice(1).map(([id]) => Number(id))).toEqual([shared]);
      expect(JSON.stringify(rows)).not.toMatch(/密路|西区/);
      expect(Number(rows[1]?.[rows[0]?.indexOf('Lamps') ?? -1])).toBe(1);
      // Who sees all of them reads the names.
      expect(JSON.stringify((await rowsOf(wide, asked)).rows)).toMatch(/密路/);
    }
  });
});

describe('what a second person decided', () => {
  it('is found by its outcome, in both lists', async () => {
    const approver = await app.signIn({
      username: 'second',
      permissions: ['lamp.approve', 'plan.query'],
      workAreas: [1],
    });
    await db.updateTable('account').set({ last_login_at: clock.now() }).where('id', '=', approver.accountId).execute();
    const lamps = await office.lamps(201);
    const dark = { from: '2026-11-23T12:00:00Z', to: '2026-11-23T14:00:00Z', op: 'set', level: 0 };
    const except = async () =>
      (
        await call<{ id: number }>('/api/v1/plan-exceptions', {
          token,
          body: { scope: { deviceIds: lamps }, reason: '管线抢修施工', ...dark },
        })
      ).body.id;
    const [agreed, refused, open] = [await except(), await except(), await except()];
    const published = (await publish(lamps)).body.id;
    const decide = (path: string, body: object) => call(`/api/v1/${path}/decide`, { token: approver.token, body });
    const { digest } = (
      await call<{ approval: { digest: string } }>(`/api/v1/plan-exceptions/${agreed}`, { token: approver.token })
    ).body.approval;
    expect((await decide(`plan-exceptions/${agreed}`, { approved: true, digest })).status).toBe(200);
    expect((await decide(`plan-exceptions/${refused}`, { approved: false, digest, reason: '太暗' })).status).toBe(200);
    expect((await decide(`publications/${published}`, { approved: false, reason: '太暗' })).status).toBe(200);
    const found = async (list: string, approval: string) =>
      (
        await call<{ data: { id: number; approval: { outcome: string } }[] }>(`/api/v1/${list}?approval=${approval}`, {
          token,
        })
      ).body.data.map(({ id, approval: { outcome } }) => [id, outcome]);
    expect(await found('plan-exceptions', 'agreed,refused')).toEqual([
      [refused, 'refused'],
      [agreed, 'agreed'],
    ]);
    expect(await found('plan-exceptions', 'pending')).toEqual([[open, 'pending']]);
    expect(await found('publications', 'refused')).toEqual([[published, 'refused']]);
    clock.set(new Date(noon + 86_400_000));
    // Nobody has looked at it since: it has expired all the same.
    expect(await found('plan-exceptions', 'expired')).toEqual([[open, 'expired']]);
    expect((await call('/api/v1/publications?approval=maybe', { token })).status).toBe(400);
  });
});
