import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandsRoutes, createCommandFeature, createLimits } from '../../light/commands/index.ts';
import { checkPassword } from '../../people/accounts/index.ts';
import { sealAll, verifyLogs } from '../../people/log-seals/index.ts';
import { createPreferences, preferencesRoutes } from '../../people/preferences/index.ts';
import { usersRoutes } from '../../people/users/index.ts';
import { openFiles } from '../../platform/files/index.ts';
import { openKeys } from '../../platform/keys/index.ts';
import type { Broker } from '../../platform/mqtt/index.ts';
import { createDevices, devicesRoutes, type Devices } from '../../register/devices/index.ts';
import { signInTestApp } from '../../testing/sign-in.ts';
import { createDemo, demoRoutes, handoverFile, type Demo } from './index.ts';
import { people, roles } from './people-of-the-city.ts';

/** The people of the demo city and a month of their work, in a real database. */
const folder = mkdtempSync(join(tmpdir(), 'lampyris-office-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const files = openFiles(join(folder, 'files'));
const broker = { kind: 'embedded' } as Broker;
const address = 'mqtt://127.0.0.1:1884';
let demo!: Demo;
let devices!: Devices;
const app = await signInTestApp({
  captchaOff: true,
  routes: (parts) => {
    devices = createDevices({ ...parts, keys: openKeys(join(folder, 'secret.key')) });
    demo = createDemo({ ...parts, answering: parts.db, devices, files, enabled: true, lamps: 300, folder });
    const queued = () => undefined;
    return [
      ...demoRoutes(demo),
      ...devicesRoutes(devices),
      ...commandsRoutes(createCommandFeature({ ...parts, limits: createLimits(parts), queued })),
      ...preferencesRoutes(createPreferences({ ...parts, warnings: [] })),
      ...usersRoutes({
        ...parts,
        openPassword: (text) => text,
        checkOwnPassword: () => Promise.reject(new Error('no password is asked for here')),
      }),
    ];
  },
});
const { db, call } = app;
const account = (username: string) =>
  db.selectFrom('account').selectAll().where('username', '=', username).executeTakeFirstOrThrow();
/** A session of somebody of the city, as a preview has one. */
const tokenOf = async (username: string): Promise<string> =>
  app.sessions.begin({
    accountId: (await account(username)).id,
    remember: false,
    address: '10.20.1.21',
    userAgent: undefined,
  });
interface Places {
  lampId: number;
  controllerId: number | null;
  commandId: number;
  approvalId: number;
  schemeId: number;
  schemeNumber: number;
  username: string;
  importId: number;
}
const placesNow = async () => (await call<{ places: Places | null }>('/api/v1/demo')).body.places;

test('before there is a city it has no people and no places', async () => {
  expect(await placesNow()).toBeNull();
  expect(await db.selectFrom('account').select('id').execute()).toHaveLength(1);
});

describe('the office of the demo city', () => {
  beforeAll(async () => {
    await demo.start(broker, address);
  });

  test('has its people, none of whom can be signed in as', async () => {
    const accounts = await db.selectFrom('account').selectAll().where('id', '<>', 1).execute();
    expect(accounts.map(({ username }) => username).toSorted()).toEqual(
      people.map(({ username }) => username).toSorted(),
    );
    const [first] = accounts;
    for (const guess of [first?.username ?? '', '123456', 'admin'])
      expect(await checkPassword(first?.password_hash ?? '', guess)).toBe(false);
    expect((await app.login('li.wei', 'li.wei')).status).toBe(401);
    // Numbers and addresses that belong to nobody.
    for (const { mobile, email } of accounts) {
      expect(mobile).toMatch(/^142\d{8}$/);
      expect(email).toMatch(/@example\.com$/);
    }
  });

  test.each(people.filter((one) => !('leftDaysAgo' in one)))(
    'gives $username exactly what the role says',
    async ({ username, role }) => {
      const { body } = await call<{ permissions: string[] }>('/api/v1/me', { token: await tokenOf(username) });
      expect(body.permissions).toEqual([...new Set<string>(roles[role].permissions)].toSorted());
    },
  );

  test('lets a duty operator do his work and nothing beyond', async () => {
    const token = await tokenOf('li.wei');
    const { lampId } = (await placesNow())!;
    const give = (body: object) => call('/api/v1/commands', { body: { deviceIds: [lampId], ...body }, token });
    expect((await give({ command: 'dim', args: { level: 70 } })).status).toBe(201);
    expect((await give({ command: 'on', lane: 'emergency', reason: '事故照明' })).status).toBe(403);
    expect((await call('/api/tbUsers', { token })).status).toBe(403);
    expect((await call('/api/v1/demo/end-evening', { method: 'POST', token })).status).toBe(403);
    const leader = await tokenOf('zheng.hao');
    expect(
      (await call('/api/v1/commands', { body: { deviceIds: [lampId], command: 'on' }, token: leader })).status,
    ).toBe(403);
  });

  test('shows the park’s management its own lamps alone', async () => {
    const seen = async (username: string) =>
      (
        await call<{ recordsTotal: number }>('/api/v1/devices?family=single-lamp-controller&size=1', {
          token: await tokenOf(username),
        })
      ).body.recordsTotal;
    const own = await seen('lin.qing');
    expect(own).toBeGreaterThan(0);
    expect(own).toBeLessThan(await seen('li.wei'));
    expect(await seen('zheng.hao')).toBe(300);
  });

  test('tells of places and stories to whom may see them', async () => {
    const all = (await placesNow())!;
    const bound = await db.selectFrom('device_account').select('device_id').executeTakeFirstOrThrow();
    const { token } = JSON.parse(readFileSync(handoverFile(folder), 'utf8')) as { token: string };
    const stories = [all.lampId, bound.device_id].map((deviceId) => ({
      ...{ kind: 'dyingDriver', deviceId, code: `C-${deviceId}`, road: '滨江大道', lamps: 1, since: 0 },
    }));
    writeFileSync(join(folder, 'progress.json'), JSON.stringify({ token, day: 1, week: 1, stories }));
    const seen = async (username: string) => {
      const { body } = await call<{ places: Places; stories: { deviceId: number }[] }>('/api/v1/demo', {
        token: await tokenOf(username),
      });
      return { places: body.places, stories: body.stories.map(({ deviceId }) => deviceId) };
    };
    const none = Object.fromEntries(Object.keys(all).map((key) => [key, null]));
    expect(await seen('lin.qing')).toEqual({ places: none, stories: [bound.device_id] });
    const devices = { lampId: all.lampId, controllerId: all.controllerId };
    // His organisation's groups let him see the area; of work in it he has no permission.
    expect((await seen('wang.jianguo')).places).toEqual({ ...none, ...devices, username: 'li.wei' });
    expect(await seen('zhou.ting')).toEqual({
      places: { ...none, ...devices, importId: all.importId },
      stories: [all.lampId, bound.device_id],
    });
    expect((await seen('li.wei')).places).toEqual({ ...all, username: null, importId: null });
  });

  test('has an organisation of three levels', async () => {
    const rows = await db.selectFrom('organisation').select(['id', 'parent_id']).execute();
    const depthOf = (id: number | null): number =>
      id === null ? 0 : 1 + depthOf(rows.find((row) => row.id === id)?.parent_id ?? null);
    expect(Math.max(...rows.map(({ id }) => depthOf(id)))).toBe(3);
    expect((await db.selectFrom('work_group').select('id').execute()).length).toBeGreaterThan(4);
  });

  test('makes nobody wait for somebody who cannot sign in', async () => {
    const asked = await call<{ code: number; count: number }>('/api/v1/commands', {
      body: { scope: { workAreaId: 1 }, command: 'off', reason: '全城关灯演练' },
    });
    expect([asked.status, asked.body.count]).toEqual([400, 300]);
  });

  test('has commands with every way to end, and one that waits', async () => {
    const { body } = await call<{ data: { id: number; state: string; createdAt: string }[] }>(
      '/api/v1/commands?size=100',
    );
    const states = new Set(body.data.map(({ state }) => state));
    expect([...states].toSorted()).toEqual(
      expect.arrayContaining(['awaitingApproval', 'cancelled', 'finished', 'lapsed', 'refused']),
    );
    // In the order in which they were given.
    const times = body.data.toSorted((a, b) => a.id - b.id).map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted());
    const { commandId } = (await placesNow())!;
    const proven = await call<{ total: number; states: Record<string, number> }>(`/api/v1/commands/${commandId}`);
    expect(proven.body.states).toEqual({ confirmed: proven.body.total });
  });

  test('has an approval that the administrator can decide about', async () => {
    const { approvalId } = (await placesNow())!;
    const { body } = await call<{ approval: { digest: string; hindrance: null; outcome: string } }>(
      `/api/v1/commands/${approvalId}`,
    );
    expect(body.approval).toMatchObject({ hindrance: null, outcome: 'pending' });
    const { digest } = body.approval;
    const own = await call(`/api/v1/commands/${approvalId}/approval`, {
      body: { approved: true, digest },
      token: await tokenOf('zhang.min'),
    });
    expect(own.status).toBe(403);
    const agreed = await call(`/api/v1/commands/${approvalId}/approval`, { body: { approved: true, digest } });
    expect(agreed).toMatchObject({ status: 200, body: { state: 'running' } });
  });

  test('has a month of both logs, sealed as every row is', async () => {
    await sealAll(db);
    const verdicts = await verifyLogs(db);
    expect(verdicts.map(({ finding, unsealed }) => [finding, unsealed])).toEqual([
      [undefined, 0],
      [undefined, 0],
    ]);
    for (const { rows } of verdicts) expect(rows).toBeGreaterThan(100);
    const now = app.clock.now();
    for (const log of ['login_log', 'operation_log'] as const) {
      const { first, last } = await db
        .selectFrom(log)
        .select((row) => [row.fn.min('at').as('first'), row.fn.max('at').as('last')])
        .executeTakeFirstOrThrow();
      expect((now.getTime() - new Date(first).getTime()) / 86_400_000).toBeGreaterThan(25);
      expect(new Date(last).getTime()).toBeLessThanOrEqual(now.getTime());
    }
  });

  test('says the same of the last sign-in in the list of accounts and in the log', async () => {
    for (const { username } of people) {
      const row = await db
        .selectFrom('login_log')
        .select((log) => log.fn.max('at').as('at'))
        .where('username', '=', username)
        .where('message', '=', 'signedIn')
        .executeTakeFirstOrThrow();
      expect((await account(username)).last_login_at).toEqual(row.at);
    }
  });

  test('commands and approves only while somebody is there, and the park’s management only its own lamps', async () => {
    const said = await db
      .selectFrom('operation_log')
      .select(['username', 'at'])
      .where('uri', 'like', '%/api/v1/commands%')
      // Before the calls of this test.
      .where('at', '<', new Date(app.clock.now().getTime() - 60_000))
      .execute();
    expect(said.length).toBeGreaterThan(10);
    const came = await db
      .selectFrom('login_log')
      .select(['username', 'at'])
      .where('message', '=', 'signedIn')
      .execute();
    const there = ({ username, at }: (typeof said)[number]): boolean =>
      came.some((one) => one.username === username && one.at <= at && at.getTime() - one.at.getTime() < 14 * 3_600_000);
    expect(said.filter((one) => !there(one))).toEqual([]);
    const { id } = await account('lin.qing');
    const foreign = await db
      .selectFrom('command')
      .innerJoin('command_item', 'command_item.command_id', 'command.id')
      .select('command_item.device_id')
      .where('command.actor_id', '=', id)
      .where(
        'command_item.device_id',
        'not in',
        db.selectFrom('device_account').select('device_id').where('account_id', '=', id),
      )
      .execute();
    expect(foreign).toEqual([]);
  });

  test('imported a file but for its bad rows, and checked another', async () => {
    const rows = await db.selectFrom('import').select(['id', 'state', 'counts']).orderBy('id').execute();
    expect(rows.map(({ state, counts }) => [state, counts])).toEqual([
      ['applied', { new: 0, update: 24, unchanged: 0, error: 3 }],
      ['checked', { new: 0, update: 24, unchanged: 0, error: 0 }],
    ]);
    expect(rows[1]?.id).toBe((await placesNow())!.importId);
  });

  test('has a version of a scheme that no lamp follows yet', async () => {
    const { schemeId, schemeNumber } = (await placesNow())!;
    const versions = await db
      .selectFrom('scheme_version')
      .select(['number', 'note', 'content_hash'])
      .where('scheme_id', '=', schemeId)
      .orderBy('number')
      .execute();
    expect(versions.map(({ number }) => number)).toEqual([1, schemeNumber]);
    expect(versions[1]?.content_hash).not.toBe(versions[0]?.content_hash);
  });

  test('is made once', async () => {
    const count = async () => {
      const counted = await Promise.all(
        (['account', 'role', 'organisation', 'command', 'import', 'login_log', 'plan_exception'] as const).map(
          (table) =>
            db
              .selectFrom(table)
              .select((row) => row.fn.countAll<number>().as('n'))
              .executeTakeFirstOrThrow(),
        ),
      );
      return counted.map(({ n }) => Number(n));
    };
    const before = await count();
    await demo.start(broker, address);
    expect(await count()).toEqual(before);
  });
});
