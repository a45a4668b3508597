import type { Db } from '../platform/db/index.ts';
import { insertException } from './exception-thing.ts';
import { insertPublication } from './publication-thing.ts';
import { fresh, insertAccount, insertBatch, insertGroup, insertMenu } from './small-things.ts';
import { drafted, version } from './version-thing.ts';
import { exampleScheme, exampleTemplate } from '../../../catalogue/lighting/plan/examples.ts';

/**
 * Whose thing a call is about: the caller's own to see or change; one that is out of its reach; one that does not
 * exist.
 */
export type Whose = 'own' | 'foreign' | 'unknown';
/** The caller: what it is, and the role it holds. */
export interface Holder {
  readonly accountId: number;
  readonly roleId: number;
}

/** What a call can be about; each is made when it is asked for, new for every call. */
export type Things = ReturnType<typeof createThings>;

export const ownAreaId = 1;
const nowhere = 999_999_999;

/**
 * Makes things of one kind of ownership for one caller; `asked` tells afterwards whether any was, and `reach` whether
 * one of them can be out of reach.
 */
export function createThings(db: Db, whose: Whose, holder: Holder, foreignAreaId: number) {
  const used = { asked: false, reach: false };
  const id = async (insert: () => Promise<{ id: number }>, reach = true): Promise<number> => {
    used.asked = true;
    used.reach ||= reach;
    return whose === 'unknown' ? nowhere : (await insert()).id;
  };
  const area = whose === 'foreign' ? foreignAreaId : ownAreaId;
  const account = (): Promise<number> => id(() => insertAccount(db, whose === 'foreign' ? 2 : 5));
  const device = (): Promise<number> =>
    id(() =>
      db
        .insertInto('device')
        .values({ family: 'single-lamp-controller', work_area_id: area, equipment_code: fresh('L') })
        .returning('id')
        .executeTakeFirstOrThrow(),
    );
  const ended = (state: string): Promise<number> =>
    id(async () => {
      const deviceId = await device();
      const command = await db
        .insertInto('command')
        .values({ command: 'on', actor_name: 'matrix' })
        .returning('id')
        .executeTakeFirstOrThrow();
      await db
        .insertInto('command_item')
        .values({ command_id: command.id, device_id: deviceId, state, expires_at: new Date(), ended_at: new Date() })
        .execute();
      return command;
    });
  const road = (): Promise<number> =>
    id(() =>
      db
        .insertInto('road')
        .values({ work_area_id: area, road_code: fresh('R'), road_name: 'matrix' })
        .returning('id')
        .executeTakeFirstOrThrow(),
    );
  const newRole = (parentId: number) =>
    db
      .insertInto('role')
      .values({ name: fresh('r'), name_key: fresh('r'), extent: '-', creator_name: 'matrix', parent_id: parentId })
      .returning('id')
      .executeTakeFirstOrThrow();

  return {
    used,
    account,
    device,
    /** An account below the caller; foreign: above it. */
    async accountSession(): Promise<{ id: number; sessionId: number }> {
      const of = await account();
      if (whose === 'unknown') return { id: of, sessionId: nowhere };
      const session = await db
        .insertInto('session')
        .values({ account_id: of, address: '127.0.0.1', expires_at: new Date(Date.now() + 3_600_000) })
        .returning('id')
        .executeTakeFirstOrThrow();
      return { id: of, sessionId: session.id };
    },
    /** The name of an account below every caller, whatever else the call is about. */
    async juniorName(): Promise<string> {
      const username = fresh('j');
      await insertAccount(db, 5, '-', username);
      return username;
    },
    /** A file of a device whose bytes are gone. */
    attachment: (): Promise<number> =>
      id(async () => {
        const owner = await db
          .insertInto('device')
          .values({ family: 'lamp-pole', work_area_id: area, equipment_code: fresh('T') })
          .returning('id')
          .executeTakeFirstOrThrow();
        return db
          .insertInto('attachment')
          .values({
            device_id: owner.id,
            kind: 'document',
            type: 'txt',
            file: '0'.repeat(64),
            file_name: 'x.txt',
            bytes: 1,
            account_name: 'matrix',
            created_at: new Date(),
          })
          .returning('id')
          .executeTakeFirstOrThrow();
      }),
    /** A view of the lamps: the caller's own, for itself; foreign: one that an account without an area of the caller's shares. */
    savedView: (): Promise<number> =>
      id(async () => {
        const accountId = whose === 'foreign' ? (await insertAccount(db, 5)).id : holder.accountId;
        return db
          .insertInto('saved_view')
          .values({
            account_id: accountId,
            list: 'lamps',
            name: fresh('v'),
            conditions: '{}',
            shared: whose === 'foreign',
          })
          .returning('id')
          .executeTakeFirstOrThrow();
      }),
    pole: (): Promise<number> =>
      id(() =>
        db
          .insertInto('device')
          .values({ family: 'lamp-pole', work_area_id: area, equipment_code: fresh('P') })
          .returning('id')
          .executeTakeFirstOrThrow(),
      ),
    /** A device with an account of the lowest rank bound to it. */
    async boundAccount(): Promise<{ id: number; accountId: number }> {
      const of = await device();
      const accountId = (await insertAccount(db, 5)).id;
      if (whose !== 'unknown')
        await db.insertInto('device_account').values({ device_id: of, account_id: accountId }).execute();
      return { id: of, accountId };
    },
    /** A role below the caller's; foreign: the very one it holds. */
    role: (): Promise<number> =>
      id(() => (whose === 'foreign' ? Promise.resolve({ id: holder.roleId }) : newRole(holder.roleId))),
    /** A role the caller may give; foreign: one with an entry it does not hold. */
    async grantableRole(): Promise<number> {
      return id(async () => {
        const role = await newRole(0);
        if (whose === 'foreign')
          await db
            .insertInto('role_menu')
            .values({ role_id: role.id, menu_id: (await insertMenu(db)).id })
            .execute();
        return role;
      });
    },
    /** An entry the caller holds; foreign: one it does not. */
    grantableMenu: (): Promise<number> =>
      id(async () => {
        const menu = await insertMenu(db);
        if (whose !== 'foreign')
          await db.insertInto('role_menu').values({ role_id: holder.roleId, menu_id: menu.id }).execute();
        return menu;
      }),
    /** Any entry: the menu configuration knows no ownership. */
    menu: (): Promise<number> => id(() => insertMenu(db), false),
    /** The work area something is to be made in. */
    area: (): Promise<number> => id(() => Promise.resolve({ id: area })),
    road,
    /** A road with one pole. */
    async rowRoad(): Promise<{ roadId: number; pole: number }> {
      const roadId = await road();
      if (whose === 'unknown') return { roadId, pole: nowhere };
      const pole = await db
        .insertInto('device')
        .values({ family: 'lamp-pole', work_area_id: area, equipment_code: fresh('P'), road_id: roadId })
        .returning('id')
        .executeTakeFirstOrThrow();
      return { roadId, pole: pole.id };
    },
    /** A command whose only lamp failed. */
    command: () => ended('failed'),
    /** A command whose only lamp never answered. */
    silentCommand: () => ended('timedOut'),
    /** With a draft, and if `frozen` with a version as well. */
    scheme: (frozen = false): Promise<number> =>
      id(async () => {
        const made = await db
          .insertInto('scheme')
          .values({ ...drafted(exampleScheme()), work_area_id: area, code: fresh('S') })
          .returning('id')
          .executeTakeFirstOrThrow();
        if (frozen)
          await db
            .insertInto('scheme_version')
            .values({ ...version(exampleScheme()), scheme_id: made.id })
            .execute();
        return made;
      }),
    template: (frozen = false): Promise<number> =>
      id(async () => {
        const made = await db
          .insertInto('work_parameter_template')
          .values({ ...drafted(exampleTemplate()), work_area_id: area, code: fresh('T') })
          .returning('id')
          .executeTakeFirstOrThrow();
        if (frozen)
          await db
            .insertInto('template_version')
            .values({ ...version(exampleTemplate()), template_id: made.id })
            .execute();
        return made;
      }),
    /** A lamp that has a sun. */
    placedLamp: (): Promise<number> =>
      id(() =>
        db
          .insertInto('device')
          .values({
            family: 'single-lamp-controller',
            work_area_id: area,
            equipment_code: fresh('L'),
            latitude: 30.2,
            longitude: 120.2,
          })
          .returning('id')
          .executeTakeFirstOrThrow(),
      ),
    /** A scheme on one lamp: told as the first part, which passed; or waiting for a second person. */
    publication: (phase: 'judging' | 'awaitingApproval'): Promise<number> =>
      id(async () => insertPublication(db, area, await device(), (await insertAccount(db, 5)).id, phase)),
    exception: (state: 'planned' | 'awaitingApproval'): Promise<number> =>
      id(async () => insertException(db, await device(), (await insertAccount(db, 5)).id, state)),
    workGroup: (): Promise<number> => id(() => insertGroup(db, area)),
    /** An organisation below another one; foreign: its people see a work area that the caller does not. */
    organisation: (): Promise<number> =>
      id(async () => {
        const parent = await db
          .insertInto('organisation')
          .values({ name: fresh('o') })
          .returning('id')
          .executeTakeFirstOrThrow();
        const made = await db
          .insertInto('organisation')
          .values({ name: fresh('o'), parent_id: parent.id })
          .returning('id')
          .executeTakeFirstOrThrow();
        await db
          .insertInto('organisation_work_group')
          .values({ organisation_id: made.id, work_group_id: (await insertGroup(db, area)).id })
          .execute();
        return made;
      }),
    /** An ended task of the caller's; foreign: somebody else's. Its file is gone. */
    task: (): Promise<number> =>
      id(async () => {
        const owner = whose === 'foreign' ? (await insertAccount(db, 5)).id : holder.accountId;
        return db
          .insertInto('task')
          .values({
            account_id: owner,
            kind: 'export.operation-log',
            params: JSON.stringify({ beginTime: '2020-01-01', endTime: '2020-01-01' }),
            language: 'zh-CN',
            timezone_offset: 0,
            state: 'failed',
            created_at: new Date(),
            ended_at: new Date(),
          })
          .returning('id')
          .executeTakeFirstOrThrow();
      }),
    /** The day of a night. */
    night: async (): Promise<string> => {
      const day = { own: '2025-01-01', foreign: '2025-02-02', unknown: '2020-01-01' }[whose];
      await id(async () => {
        await db
          .insertInto('plan_night')
          .values({ work_area_id: area, day })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        return { id: area };
      });
      return day;
    },
    /** With a result of one finding, if `made`. */
    simulation: (made = false): Promise<number> =>
      id(async () => {
        const owner = whose === 'foreign' ? (await insertAccount(db, 5)).id : holder.accountId;
        const result = made
          ? await db
              .insertInto('plan_simulation_result')
              .values({
                key: fresh('k'),
                outcome: JSON.stringify({ lamps: 0, days: 1, months: [], findings: [], testNights: [], watts: {} }),
                levels_a: Buffer.alloc(0),
                levels_b: Buffer.alloc(0),
                made_at: new Date(),
              })
              .returning('id')
              .executeTakeFirstOrThrow()
          : null;
        if (result)
          await db
            .insertInto('plan_simulation_finding')
            .values({ result_id: result.id, place: 0, lamps: [] })
            .execute();
        const version = { schemeId: 1, code: 'S', name: 'matrix', number: null, content: exampleScheme() };
        const days = { from: '2026-01-01', to: '2026-01-01', a: null, b: version };
        return db
          .insertInto('plan_simulation')
          .values({
            account_id: owner,
            task_id: 0,
            asked: JSON.stringify({ scope: {}, workAreaId: null, ...days, pricePerKwh: null, kgCo2PerKwh: null }),
            result_id: result?.id ?? null,
            created_at: new Date(),
          })
          .returning('id')
          .executeTakeFirstOrThrow();
      }),
    /** An import of the caller's whose file is gone; foreign: somebody else's. */
    import: (): Promise<number> =>
      id(async () => {
        const owner = whose === 'foreign' ? (await insertAccount(db, 5)).id : holder.accountId;
        return db
          .insertInto('import')
          .values({
            account_id: owner,
            family: 'lamp-pole',
            file: '0'.repeat(64),
            file_name: 'x.csv',
            file_bytes: 1,
            format: JSON.stringify({ kind: 'csv', encoding: 'utf-8', delimiter: ',' }),
            columns: JSON.stringify([
              { title: 'a', samples: [] },
              { title: 'b', samples: [] },
            ]),
            fingerprint: fresh('f'),
            created_at: new Date(),
            plan: JSON.stringify({
              fields: {},
              ignored: [],
              system: 'WGS84',
              words: {},
              existing: 'update',
              createRoads: false,
              acceptFar: false,
            }),
          })
          .returning('id')
          .executeTakeFirstOrThrow();
      }),
    baseMap: (): Promise<number> =>
      id(
        () =>
          db
            .insertInto('base_map')
            .values({ kind: 'xyz', name: fresh('m'), address: 'https://tiles.example/{z}/{x}/{y}.png', position: 9 })
            .returning('id')
            .executeTakeFirstOrThrow(),
        false,
      ),
    plainGrid: (): Promise<number> => id(() => Promise.resolve({ id: 1 }), false),
    batch: (): Promise<number> => id(() => insertBatch(db, area)),
    newcomer: (): Promise<number> =>
      id(async () => {
        const { id: batchId } = await insertBatch(db, area);
        return db
          .insertInto('newcomer')
          .values({ batch_id: batchId, serial: fresh('S'), first_at: new Date(), last_at: new Date() })
          .returning('id')
          .executeTakeFirstOrThrow();
      }),
    appearance: (): Promise<number> =>
      id(
        () =>
          db
            .insertInto('login_appearance')
            .values({ host: `${fresh('h')}.example`, name: 'a', title: 'a' })
            .returning('id')
            .executeTakeFirstOrThrow(),
        false,
      ),
  };
}
