import { Ajv2020 } from 'ajv/dist/2020.js';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { givenDevice } from '../../testing/devices.ts';
import { exampleProgramme, exampleScheme } from '../../../../catalogue/lighting/plan/examples.ts';
import { path, schemeOffice, type Scheme, type Version } from './testing/office.ts';

const { app, call, db, named, create, save, freeze, listed, frozen, east } = await schemeOffice();

describe('draft and versions', () => {
  test('a draft becomes an immutable version, the next draft begins from it, and a discarded one leaves it', async () => {
    const { id, state, content } = await create();
    expect([state, content]).toEqual(['draft', null]);
    expect((await freeze(id, 1)).body).toMatchObject({ code: 4301 });
    const draft = await save(id, 1);
    expect(draft).toMatchObject({
      status: 200,
      body: { version: 2, mode: 'energySaving', draft: { by: 'chief', basedOn: null }, content: exampleScheme() },
    });
    const first = await freeze(id, 2, ' 首版 ');
    expect(first).toMatchObject({
      status: 201,
      body: { number: 1, note: '首版', basedOn: null, by: 'chief', content: exampleScheme() },
    });
    expect(first.body.contentHash).toMatch(new RegExp(`^${first.body.hash}[0-9a-f]{52}$`));
    await save(id, 3, exampleScheme(40));
    const second = await freeze(id, 4);
    expect(second.body).toMatchObject({ number: 2, basedOn: 1, content: exampleScheme(40) });
    expect((await call<Version>(`${path}/${id}/versions/1`)).body).toEqual(first.body);
    expect((await call(`${path}/${id}/versions`)).body).toMatchObject({
      recordsTotal: 2,
      data: [{ number: 2 }, { number: 1, note: '首版' }],
    });
    await save(id, 5, exampleScheme(30));
    const discarded = await call<Scheme>(`${path}/${id}/draft?version=6`, { method: 'DELETE' });
    expect(discarded.body).toMatchObject({ draft: null, content: exampleScheme(40), newest: { number: 2 } });
    expect((await call(`${path}/${id}/draft?version=7`, { method: 'DELETE' })).body).toMatchObject({ code: 4301 });
    expect((await call(`${path}/${id}/versions/9`)).status).toBe(404);
  });

  test('the hash of a content does not depend on the order of its members', async () => {
    const reversed = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(reversed)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .toReversed()
                .map(([key, part]: [string, unknown]) => [key, reversed(part)]),
            )
          : value;
    const { version } = await frozen();
    const { id } = await create();
    await save(id, 1, reversed(exampleScheme()));
    expect((await freeze(id, 2)).body.contentHash).toBe(version.contentHash);
    expect((await frozen(20, exampleScheme(59))).version.contentHash).not.toBe(version.contentHash);
  });

  test('the second saver gets what both changed since the version that he began from', async () => {
    const { id } = await create();
    await save(id, 1);
    const theirs = { ...exampleScheme(70), rotation: 'fixed' };
    const mine = { ...exampleScheme(65), floorExceptions: [{ roadClass: 'branch', reason: '居民要求调暗' }] };
    expect((await save(id, 2, theirs, east)).status).toBe(200);
    const refused = await save(id, 2, mine);
    expect(refused).toMatchObject({
      status: 409,
      body: {
        code: 1401,
        difference: {
          version: 3,
          by: 'east',
          base: exampleScheme(),
          theirs,
          mine,
          onlyTheirs: ['rotation'],
          onlyMine: ['floorExceptions'],
          both: ['programmes.0.programme.periods.1.level'],
        },
      },
    });
    expect((await call<Scheme>(`${path}/${id}`)).body).toMatchObject({ version: 3, content: theirs });
    // Two at once: one of them is refused.
    const both = await Promise.all([save(id, 3, mine), save(id, 3, theirs, east)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  test('an outdated version is refused by every change', async () => {
    const { id } = await create();
    await save(id, 1);
    const stale = [
      await call(`${path}/${id}`, { method: 'PUT', body: { version: 1, name: '新名称' } }),
      await freeze(id, 1),
      await call(`${path}/${id}/draft?version=1`, { method: 'DELETE' }),
      await call(`${path}/${id}/withdraw`, { body: { version: 1 } }),
      await call(`${path}/${id}/restore`, { body: { version: 1 } }),
    ];
    expect(stale.map(({ status }) => status)).toEqual([409, 409, 409, 409, 409]);
  });

  test('one with versions is withdrawn and restored, never deleted; one without may be deleted', async () => {
    const { id } = await frozen();
    expect((await call(`${path}/${id}`, { method: 'DELETE' })).body).toMatchObject({ code: 4302 });
    expect((await call(`${path}/${id}/withdraw`, { body: { version: 3 } })).body).toMatchObject({
      state: 'withdrawn',
      version: 4,
    });
    expect((await listed('state=withdrawn')).data.map((row) => row.id)).toEqual([id]);
    expect((await call(`${path}/${id}/restore`, { body: { version: 4 } })).body).toMatchObject({ state: 'frozen' });
    const { id: other } = await create();
    await save(other, 1);
    expect((await call(`${path}/${other}`, { method: 'DELETE' })).status).toBe(204);
    expect((await call(`${path}/${other}`)).status).toBe(404);
  });
});

describe('what is refused', () => {
  test('every problem of a content at once, by its path', async () => {
    const { id } = await create();
    const scheme = exampleScheme();
    const [first] = scheme.programmes;
    const periods = [
      { start: 'on', level: 101, pattern: 'all', rampSeconds: 0 },
      { start: { at: '', offsetMinutes: 241 }, level: 'x', pattern: 'zigzag', rampSeconds: 0.5, more: 1 },
    ];
    const refused = await save(id, 1, {
      ...scheme,
      programmes: [{ ...first, key: 256, programme: { ...first?.programme, periods, minimumMinutes: 121 } }],
      rotation: 'hourly',
      calendar: { rules: [{ programme: 7, label: '', enabled: 1, when: [] }], default: 9 },
      floorExceptions: [{ roadClass: 'motorway', reason: 'no' }],
      strange: true,
    });
    expect(refused.status).toBe(400);
    const fields = named(refused);
    for (const expected of [
      'content.programmes.0.key range',
      'content.programmes.0.programme.minimumMinutes range',
      'content.programmes.0.programme.periods.0.level range',
      'content.programmes.0.programme.periods.1.level type',
      'content.programmes.0.programme.periods.1.more unknown',
      'content.programmes.0.programme.periods.1.pattern option',
      'content.programmes.0.programme.periods.1.rampSeconds whole',
      'content.programmes.0.programme.periods.1.start.at timeEmpty',
      'content.programmes.0.programme.periods.1.start.offsetMinutes range',
      'content.rotation option',
      'content.calendar.default option',
      'content.calendar.rules.0.when entries',
      'content.floorExceptions.0.roadClass option',
      'content.floorExceptions.0.reason minLength',
      'content.strange unknown',
    ])
      expect(fields).toContain(expected);
    expect((await call<Scheme>(`${path}/${id}`)).body.content).toBeNull();
  });

  test('six periods are taken and seven are not', async () => {
    const { id } = await create();
    const scheme = (periods: number) => ({
      ...exampleScheme(),
      programmes: [
        {
          key: 1,
          name: '平日',
          programme: {
            ...exampleProgramme(),
            periods: Array.from({ length: periods }, (_, place) => ({
              start: place === 0 ? 'on' : { at: `0${place}:00`, offsetMinutes: 0 },
              level: 100 - 10 * place,
              pattern: 'all',
              rampSeconds: 0,
            })),
          },
        },
      ],
      calendar: { rules: [], default: 1 },
    });
    expect(named(await save(id, 1, scheme(7)))).toEqual(['content.programmes.0.programme.periods entries']);
    expect((await save(id, 1, scheme(6))).status).toBe(200);
  });

  test('code and name: what is wrong in them, and a code that the area has already', async () => {
    const { code } = await create();
    const tries = async (body: object) => named(await call(path, { body }));
    expect(await tries({ code: code.toLowerCase(), name: 'ab', workAreaId: 20 })).toEqual([
      'code taken',
      'name minLength',
    ]);
    expect(await tries({ code: ' \u200b', name: 'x'.repeat(31), more: 1 })).toEqual([
      'code code',
      'more unknownField',
      'name maxLength',
      'workAreaId required',
    ]);
    expect(await tries({ code: 'A', name: '没有此项目', workAreaId: 999 })).toEqual(['workAreaId notFound']);
    // The other area, and all areas, have codes of their own.
    for (const workAreaId of [21, null])
      expect((await call(path, { body: { code, name: '同名方案', workAreaId } })).status).toBe(201);
    const other = await create();
    const renamed = await call(`${path}/${other.id}`, { method: 'PUT', body: { version: 1, code } });
    expect(named(renamed)).toEqual(['code taken']);
    expect(
      (await call(`${path}/${other.id}`, { method: 'PUT', body: { version: 1, name: ' 新名称 ' } })).body,
    ).toMatchObject({ name: '新名称', code: other.code, version: 2 });
  });
});

describe('who sees and changes what', () => {
  test('an area’s scheme is of its accounts, one of all areas is read by all and changed by administrators', async () => {
    const [own, foreign, all] = [await frozen(20), await frozen(21), await frozen(null)];
    const ids = (await listed('size=200', east)).data.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining([own.id, all.id]));
    expect(ids).not.toContain(foreign.id);
    const statuses = async (id: number) => [
      (await call(`${path}/${id}`, { token: east })).status,
      (await call(`${path}/${id}/versions/1/file`, { token: east })).status,
      (await save(id, 3, exampleScheme(), east)).status,
      (await call(`${path}/${id}`, { token: east, method: 'DELETE' })).status,
    ];
    expect(await statuses(own.id)).toEqual([200, 200, 200, 400]);
    expect(await statuses(foreign.id)).toEqual([403, 403, 403, 403]);
    expect(await statuses(all.id)).toEqual([200, 200, 403, 403]);
    expect((await call<Scheme>(`${path}/${all.id}`, { token: east })).body.editable).toBe(false);
    const make = (workAreaId: number | null) =>
      call(path, { token: east, body: { code: `N${workAreaId}`, name: '新方案', workAreaId } });
    expect([(await make(20)).status, (await make(21)).status, (await make(null)).status]).toEqual([201, 403, 403]);
    // The area in force narrows what an account sees.
    expect((await call(`${path}/${foreign.id}`, { workAreaId: 20 })).status).toBe(403);
  });

  test('every change is written down by its name', async () => {
    const { id } = await frozen();
    await call(`${path}/${id}/withdraw`, { body: { version: 3 } });
    const { rows } = await sql<{ message: string }>`SELECT DISTINCT message FROM operation_log
      WHERE message LIKE 'scheme.%' AND status < 300 ORDER BY 1`.execute(db);
    expect(rows.map(({ message }) => message)).toEqual(
      expect.arrayContaining(['scheme.create', 'scheme.draft', 'scheme.freeze', 'scheme.withdraw']),
    );
  });
});

describe('files', () => {
  const file = async (id: number) => (await call<Record<string, unknown>>(`${path}/${id}/versions/1/file`)).body;
  const take = (body: object) => call<Scheme>('/api/v1/scheme-imports', { body: { workAreaId: 20, ...body } });

  test('a version goes into a file that its schema takes, and comes back exactly', async () => {
    const { id, version } = await frozen();
    const exported = await file(id);
    const schema = (await call<Record<string, unknown>>('/api/v1/scheme-file-schema')).body;
    const fits = new Ajv2020({ strict: false }).compile(schema);
    expect([fits(exported), fits.errors]).toEqual([true, null]);
    expect(fits({ ...exported, content: { ...exampleScheme(), mode: 'disco' } })).toBe(false);
    expect(exported).toMatchObject({ format: 'lampyris-scheme/1', number: 1, contentHash: version.contentHash });
    expect(named(await take({ file: exported }))).toEqual(['code taken']);
    const taken = await take({ file: exported, code: 'IMPORTED' });
    expect(taken).toMatchObject({
      status: 201,
      body: { code: 'IMPORTED', name: '节能方案', state: 'draft', draft: { basedOn: null }, content: exampleScheme() },
    });
    expect((await freeze(taken.body.id, 2)).body.contentHash).toBe(version.contentHash);
  });

  test('a changed file, an unknown member and a wrong content are named', async () => {
    const exported = await file((await frozen()).id);
    const tries = async (changes: object) => named(await take({ code: 'NEVER', file: { ...exported, ...changes } }));
    expect(await tries({ content: exampleScheme(10) })).toEqual(['file.contentHash fileHash']);
    expect(await tries({ more: 1, format: 'other/1', content: { ...exampleScheme(), mode: 'disco', x: 1 } })).toEqual([
      'file.content.mode option',
      'file.content.x unknown',
      'file.format option',
      'file.more unknown',
    ]);
    expect((await listed('q=NEVER')).recordsTotal).toBe(0);
    expect((await take({ file: exported, code: 'FOREIGN', workAreaId: 21 })).status).toBe(201);
    expect(
      (await call('/api/v1/scheme-imports', { token: east, body: { workAreaId: 21, file: exported, code: 'F2' } }))
        .status,
    ).toBe(403);
  });
});

describe('what is said of a scheme', () => {
  test('periods below the floor of a road class are findings, unless an exception names the class', async () => {
    const { version } = await frozen(20, exampleScheme(35));
    expect(version.findings).toEqual(
      ['expressway', 'arterial', 'secondary'].map((roadClass) => ({
        code: 'belowFloor',
        roadClass,
        programme: 1,
        period: 1,
        level: 35,
        floor: roadClass === 'secondary' ? 40 : 50,
      })),
    );
    const excepted = { ...exampleScheme(45), floorExceptions: [{ roadClass: 'arterial', reason: '改造期间节电' }] };
    const { id } = await create();
    await save(id, 1, excepted);
    expect((await call<Scheme>(`${path}/${id}`)).body.findings.map(({ roadClass }) => roadClass)).toEqual([
      'expressway',
    ]);
  });

  test('a list counts the lamps that follow each version, were not heard of, and diverged', async () => {
    const { id } = await frozen();
    await save(id, 3, exampleScheme(40));
    await freeze(id, 4);
    const versions = await db.selectFrom('scheme_version').selectAll().where('scheme_id', '=', id).execute();
    const versionId = (number: number) => versions.find((one) => one.number === number)?.id ?? 0;
    const lamps = await Promise.all([1, 2, 3, 4].map(() => givenDevice(db, { workAreaId: 20, roadId: null })));
    const at = app.clock.now();
    const publication = await db
      .insertInto('publication')
      .values({
        scheme_version_id: versionId(2),
        scope: '{}',
        effective_from: '2026-01-01',
        phase: 'proving',
        phase_since: at,
        criteria: '{}',
        auto_revert: true,
        go_on: true,
        total: 3,
        actor_id: 1,
        actor_name: 'admin',
        created_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const item = (place: number, state: string) => ({
      publication_id: publication.id,
      device_id: lamps[place] ?? 0,
      state,
    });
    await db
      .insertInto('publication_item')
      .values([item(0, 'diverged'), item(1, 'told'), item(2, 'proven')])
      .execute();
    await db
      .insertInto('publication_watch')
      .values({ publication_id: publication.id, device_id: lamps[1] ?? 0, look_at: null })
      .execute();
    const assign = (place: number, number: number, from: string, more: object = {}) => ({
      device_id: lamps[place] ?? 0,
      scheme_version_id: versionId(number),
      from_day: from,
      publication_id: number === 2 ? publication.id : null,
      assigned_by: 'chief',
      at,
      ...more,
    });
    await db
      .insertInto('plan_assignment')
      .values([
        assign(0, 1, '2025-01-01'),
        assign(0, 2, '2025-06-01'),
        assign(1, 1, '2025-01-01'),
        // Not yet, and no longer.
        assign(1, 2, '2099-01-01'),
        assign(2, 2, '2025-01-01'),
        assign(3, 2, '2025-01-01', { withdrawn_at: at }),
      ])
      .execute();
    const [row] = (await listed('state=inUse', east)).data;
    expect(row).toMatchObject({
      id,
      state: 'inUse',
      lamps: {
        following: 3,
        unreported: 1,
        diverged: 1,
        byVersion: [
          { number: 2, following: 2 },
          { number: 1, following: 1 },
        ],
      },
    });
    expect((await call<Version>(`${path}/${id}/versions/2`)).body).toMatchObject({
      following: 2,
      unreported: 1,
      diverged: 1,
    });
  });

  test('a list is searched, filtered, sorted and paged', async () => {
    for (const [code, name] of [
      ['Z-10', '甲路方案'],
      ['Z-2', '乙路方案'],
      ['Z-1', '丙路方案'],
    ])
      await call(path, { body: { code, name, workAreaId: 20 } });
    const codes = async (query: string) => (await listed(query)).data.map(({ code }) => code);
    expect(await codes('q=z-')).toEqual(['Z-1', 'Z-2', 'Z-10']);
    expect(await codes('q=z-&sort=code,desc&page=2&size=2')).toEqual(['Z-1']);
    expect(await codes('q=乙路&state=draft')).toEqual(['Z-2']);
    expect(await codes('q=z-&state=frozen')).toEqual([]);
    expect(named(await call(`${path}?sort=id`))).toEqual(['sort pattern']);
  });
});
