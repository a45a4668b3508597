import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { readSheet } from 'read-excel-file/node';
import { afterAll, describe, expect, test } from 'vitest';
import { languages } from '../../../../catalogue/languages.ts';
import { records } from '../../../../catalogue/index.ts';
import { testApp } from '../../testing/app.ts';
import { testClock } from '../../testing/clock.ts';
import { testSheets } from '../../testing/sheets.ts';
import type { RouteShape } from '../../../../contract/route.ts';
import { outcomeKeys } from './action-keys.ts';
import { written } from './texts/index.ts';
import { createLogs, logsRoutes } from './index.ts';
import { messageText } from './texts.ts';

const actionKeys = Object.keys(written['zh-CN'].actions);

/** A cell's time is a fraction of days: to the second as it is shown. */
const cells = async (bytes: Buffer) =>
  (await readSheet(bytes)).map((row) =>
    row.map((cell) => (cell instanceof Date ? new Date(Math.round(cell.getTime() / 1000) * 1000) : cell)),
  );
const clock = testClock(new Date('2026-11-21T04:00:00Z'));
const app = await testApp({
  clock,
  routes: (parts) => logsRoutes(createLogs({ ...parts, sheets: testSheets(parts), mostRows: 2000 })),
});
const { token } = await app.signIn({
  username: 'reader',
  level: 3,
  permissions: ['cscp.logging.operation', 'cscp.logging.login'],
});
const operationPath = '/api/system/cscpLogOperations';
const loginPath = '/api/system/cscpLogLogins';

interface Row {
  id: number;
  username: string;
  userName: string;
  time: string;
  message: string;
  status: number | string;
  sealed: boolean;
  params: string | null;
  uri: string;
  ip: string;
  times: number;
}
interface List {
  data: Row[];
  recordsTotal: number;
  recordsFiltered: number;
  recordsTotalExact?: boolean;
}
const read = async (path: string, query: Record<string, string>, headers: Record<string, string> = {}) =>
  await app.call<List>(`${path}?${new URLSearchParams(query)}`, { token, headers });
const operations = async (query: Record<string, string>, headers: Record<string, string> = {}) =>
  (await read(operationPath, query, headers)).body;
const logins = async (query: Record<string, string>, headers: Record<string, string> = {}) =>
  (await read(loginPath, query, headers)).body;

interface Given {
  username: string;
  at: string;
  status?: number;
  message?: string;
  params?: string | null;
}
const operation = async ({
  username,
  at,
  status = 200,
  message = 'account.create',
  params = null,
}: Given): Promise<void> => {
  await app.db
    .insertInto('operation_log')
    .values({ username, uri: 'POST /api/x', ip: '10.0.0.1', at: new Date(at), params, message, status })
    .execute();
};
const login = async ({ username, at, message = 'signedIn' }: Given): Promise<void> => {
  await app.db
    .insertInto('login_log')
    .values({
      username,
      ip: '10.0.0.2',
      at: new Date(at),
      message,
      status: message === 'signedIn' ? 'success' : 'failure',
    })
    .execute();
};

describe('the lists (specified 8.3)', () => {
  test('a row of the operation log', async () => {
    await operation({ username: '张三', at: '2026-11-01T01:02:03.004Z', params: '{"body":{"id":1}}' });
    const {
      data: [row],
      recordsTotal,
      recordsFiltered,
    } = await operations({ 'username.contains': '张三' });
    expect(row).toEqual({
      id: row?.id,
      username: '张三',
      uri: 'POST /api/x',
      ip: '10.0.0.1',
      time: '2026-11-01T01:02:03.004Z',
      params: '{"body":{"id":1}}',
      message: '新增账号',
      status: 200,
      times: 1,
      sealed: false,
    });
    expect([recordsTotal, recordsFiltered]).toEqual([1, 1]);
  });

  test('a row of the login log', async () => {
    await login({ username: '李四', at: '2026-11-01T01:02:03.004Z', message: 'wrongPassword' });
    const {
      data: [row],
    } = await logins({ 'userName.contains': '李四' });
    expect(row).toEqual({
      id: row?.id,
      userName: '李四',
      ip: '10.0.0.2',
      time: '2026-11-01T01:02:03.004Z',
      message: '密码错误',
      status: 'failure',
      times: 1,
      sealed: false,
    });
  });

  test('newest first unless asked otherwise, pages from 0', async () => {
    for (const hour of ['01', '03', '02']) await operation({ username: 'pager', at: `2026-11-02T${hour}:00:00Z` });
    const hours = ({ data }: List) => data.map(({ time }) => time.slice(11, 13));
    const ask = (more: Record<string, string>) => operations({ 'username.contains': 'pager', ...more });
    expect(hours(await ask({}))).toEqual(['03', '02', '01']);
    expect(hours(await ask({ sort: 'time,asc' }))).toEqual(['01', '02', '03']);
    expect(hours(await ask({ page: '1', size: '2' }))).toEqual(['01']);
    expect((await ask({ page: '1', size: '2' })).recordsTotal).toBe(3);
    expect((await ask({ page: '9', size: '2' })).data).toEqual([]);
  });

  test.each(['params,asc', 'time,up', 'time,asc,id', 'constructor,asc'])(
    'no order but those of its allow-list: %s',
    async (sort) => {
      expect((await read(operationPath, { sort })).status).toBe(400);
    },
  );

  test('a part of a name, whatever the case and width; signs mean nothing', async () => {
    await login({ username: 'Night_Watch', at: '2026-11-03T00:00:00Z' });
    await login({ username: 'nightwatch2', at: '2026-11-03T01:00:00Z' });
    const names = async (part: string) =>
      (await logins({ 'userName.contains': part })).data.map(({ userName }) => userName);
    expect(await names('ＮＩＧＨＴ')).toEqual(['nightwatch2', 'Night_Watch']);
    expect(await names('t_w')).toEqual(['Night_Watch']);
    expect(await names('nobody')).toEqual([]);
    expect(
      (await logins({ 'userName.contains': 'night', sort: 'userName,asc' })).data
        .map(({ userName }) => userName)
        .toSorted(),
    ).toEqual(['Night_Watch', 'nightwatch2']);
  });

  test('success and failure', async () => {
    await operation({ username: 'doer', at: '2026-11-04T00:00:00Z' });
    await operation({ username: 'doer', at: '2026-11-04T00:00:01Z', status: 403, message: 'missingPermission' });
    const of = async (status: string) =>
      (await operations({ 'username.contains': 'doer', status })).data.map((row) => row.status);
    expect([await of('success'), await of('failure')]).toEqual([[200], [403]]);
    expect((await read(operationPath, { status: 'both' })).status).toBe(400);
  });

  test.each([
    ['Beijing, from 16:00 UTC of the day before', '0', ['16:00', '23:59']],
    ['Tokyo, from 15:00', '60', ['15:00', '16:00', '23:59']],
    ['Paris in winter, from 23:00', '-420', ['23:59', '22:59']],
  ])('days are the caller’s: %s', async (_where, timezoneOffset, expected) => {
    const username = `zone${timezoneOffset}`;
    for (const at of [
      '2026-11-04T15:00:00Z',
      '2026-11-04T16:00:00Z',
      '2026-11-04T23:59:59.999Z',
      '2026-11-05T22:59:59.999Z',
      '2026-11-05T23:00:00Z',
    ])
      await operation({ username, at });
    const { data } = await operations(
      { 'username.contains': username, beginTime: '2026-11-05', endTime: '2026-11-05', sort: 'time,asc' },
      { timezoneoffset: timezoneOffset },
    );
    expect(data.map(({ time }) => time.slice(11, 16))).toEqual(expected);
  });

  test('moments, both included, as rows tell them; with days what lies in both', async () => {
    for (const at of [
      '2026-11-06T09:59:59.999Z',
      '2026-11-06T10:00:00Z',
      '2026-11-06T10:00:30.123456Z',
      '2026-11-06T10:00:30.124Z',
    ])
      await login({ username: 'moment', at });
    const of = async (query: Record<string, string>) =>
      (await logins({ 'userName.contains': 'moment', sort: 'time,asc', ...query })).data.map(({ time }) =>
        time.slice(14, 23),
      );
    expect(
      await of({
        'time.greaterOrEqualThan': '2026-11-06T18:00:00+08:00',
        'time.lessOrEqualThan': '2026-11-06T10:00:30.123Z',
      }),
    ).toEqual(['00:00.000', '00:30.123']);
    expect(await of({ 'time.greaterOrEqualThan': '2026-11-06T10:00:30.124Z' })).toEqual(['00:30.124']);
    expect(await of({ 'time.lessOrEqualThan': '2026-11-06T10:00:00Z', beginTime: '2026-11-06' })).toEqual([
      '59:59.999',
      '00:00.000',
    ]);
    expect(await of({ 'time.lessOrEqualThan': '2026-11-06T10:00:00Z', beginTime: '2026-11-07' })).toEqual([]);
  });

  test.each([
    ['no such day', { beginTime: '2026-02-30' }, ['beginTime']],
    ['no day', { endTime: 'yesterday' }, ['endTime']],
    ['ends reversed', { beginTime: '2026-11-05', endTime: '2026-11-04' }, ['endTime']],
    [
      'moments reversed',
      { 'time.greaterOrEqualThan': '2026-11-05T08:00:01Z', 'time.lessOrEqualThan': '2026-11-05T16:00:00+08:00' },
      ['time.lessOrEqualThan'],
    ],
    [
      'no moments',
      { 'time.greaterOrEqualThan': '2026-11-05', 'time.lessOrEqualThan': '2026-02-30T00:00:00Z' },
      ['time.greaterOrEqualThan', 'time.lessOrEqualThan'],
    ],
  ])('days that are none are refused by field: %s', async (_what, query: Record<string, string>, fields) => {
    const reply = await app.call<{ params: { field: string }[] }>(`${loginPath}?${new URLSearchParams(query)}`, {
      token,
    });
    expect([reply.status, reply.body.params.map(({ field }) => field)]).toEqual([400, fields]);
  });

  test('many names and few rows, few names and many rows, all the same answer as counting by hand', async () => {
    await app.database.pool.query(
      `INSERT INTO login_log (username, ip, at, message, status)
        SELECT 'many' || i % 50, '-', timestamptz '2026-09-01' + i * interval '1 minute', 'signedIn', 'success'
        FROM generate_series(1, 3000) i`,
    );
    const page = await logins({
      'userName.contains': 'many',
      beginTime: '2026-09-01',
      endTime: '2026-09-02',
      page: '3',
      size: '20',
    });
    const { rows } = await app.database.pool.query<{ id: number; n: string }>(
      `SELECT id, count(*) OVER () AS n FROM login_log WHERE username LIKE 'many%' AND at >= '2026-08-31T16:00Z'
        AND at < '2026-09-02T16:00Z' ORDER BY at DESC, id DESC LIMIT 20 OFFSET 60`,
    );
    expect([page.data.map(({ id }) => id), page.recordsTotal]).toEqual([rows.map(({ id }) => id), Number(rows[0]?.n)]);
  });

  test('above 10,000 the total may be an estimate and says so', async () => {
    await app.database.pool.query(
      `INSERT INTO operation_log (username, uri, ip, at, message, status)
        SELECT 'crowd', '-', '-', timestamptz '2026-08-01' + i * interval '1 second', 'x', 200
        FROM generate_series(1, 10000) i`,
    );
    expect(await operations({ 'username.contains': 'crowd' })).toMatchObject({ recordsTotal: 10_000 });
    await operation({ username: 'crowd', at: '2026-08-02T00:00:00Z' });
    const over = await operations({ 'username.contains': 'crowd' });
    expect([over.recordsTotalExact, over.recordsTotal > 10_000]).toEqual([false, true]);
  });

  test('each log needs its own code', async () => {
    const { token: one } = await app.signIn({ username: 'onlylogins', permissions: ['cscp.logging.login'] });
    expect([
      (await app.call(loginPath, { token: one })).status,
      (await app.call(operationPath, { token: one })).status,
      (await app.call('/api/operationsExcel', { token: one, body: { beginTime: '2026-11-01', endTime: '2026-11-01' } }))
        .status,
    ]).toEqual([200, 403, 403]);
  });
});

describe('what a row says', () => {
  test.each(languages)(
    'in %s every action and outcome has words of its own, errors their title, the unknown stays',
    (language) => {
      for (const key of [...actionKeys, ...outcomeKeys, 'wrongPassword', 'tooManyTries', 'missingPermission'])
        expect(messageText(language, key)).not.toBe(key);
      expect([
        messageText(language, 'lamp.future'),
        messageText(language, 'constructor'),
        messageText(language, 'toString'),
      ]).toEqual(['lamp.future', 'constructor', 'toString']);
    },
  );

  test('the words come in the caller’s language', async () => {
    await operation({ username: 'polyglot', at: '2026-11-05T00:00:00Z', message: 'role.menus' });
    const words = await Promise.all(
      languages.map(
        async (language) =>
          (await operations({ 'username.contains': 'polyglot' }, { 'accept-language': language })).data[0]?.message,
      ),
    );
    expect(new Set(words).size).toBe(languages.length);
  });

  test('a refused change says what was tried and why, one that nobody could name says why', () => {
    expect([
      messageText('zh-CN', 'account.create invalidInput'),
      messageText('en-US', 'role.delete roleInUse'),
      messageText('zh-CN', 'unheard.of invalidInput'),
      messageText('zh-CN', 'x y z'),
    ]).toEqual(['新增账号：输入有误', 'Refused: Role deleted – The role is in use', '输入有误', 'x y z']);
  });

  test('every route that changes state names an action that has its words, read or unread', () => {
    const modules = Object.values(
      import.meta.glob<Record<string, unknown>>('../../../../contract/*/*.ts', { eager: true }),
    );
    const isRoute = (value: unknown): value is RouteShape =>
      typeof value === 'object' && value !== null && 'method' in value && 'access' in value;
    const changing = modules
      .flatMap((module) => Object.values(module))
      .filter(isRoute)
      .filter(({ method, logged }) => method !== 'GET' && logged !== false);
    const named = changing.flatMap(({ action }) =>
      typeof action === 'function'
        ? [undefined, {}].map((body) => action({ params: { record: 'road' }, body, accountId: 1 }))
        : [action],
    );
    expect(named.length).toBeGreaterThan(80);
    expect(named.filter((key) => key === undefined || !actionKeys.includes(key))).toEqual([]);
  });

  test('every change that a feature names has its words', () => {
    const sources = Object.entries(
      import.meta.glob<string>('../../*/*/*.ts', { query: '?raw', import: 'default', eager: true }),
    ).filter(([path]) => !path.includes('.test.') && !path.includes('/logs/'));
    const named = sources.flatMap(([, text]) =>
      [
        ...text.matchAll(
          /(?:action: |change\(|changed(?:<\w+>)?\((?:caller, )?change, )(?:[^'`\n]{0,60}\? )?'([\w-]+(?:\.\w+)+)'(?: : '([\w-]+(?:\.\w+)+)')?/g,
        ),
      ]
        .flatMap(([, one, two]) => [one, two])
        .filter((key) => key !== undefined),
    );
    const ofRecords = records.flatMap(({ key }) => ['create', 'update', 'delete'].map((verb) => `${key}.${verb}`));
    expect(named.length).toBeGreaterThan(20);
    expect([...named, ...ofRecords].filter((key) => !actionKeys.includes(key))).toEqual([]);
  });
});

describe('exports (specified 8.4)', () => {
  const take = (path: string, body: object, headers: Record<string, string> = {}, as = token) =>
    app.call<{ title: string; params: { field: string; rule: string }[]; message: string }>(path, {
      token: as,
      body,
      headers,
    });

  test('an .xlsx with a name, texts and times of the caller’s', async () => {
    await operation({ username: '=cmd|x', at: '2026-10-06T00:00:00Z', params: '+1+1' });
    await operation({ username: 'late', at: '2026-10-06T15:59:59Z', status: 400, message: 'invalidInput' });
    await operation({ username: 'tomorrow', at: '2026-10-06T16:00:00Z' });
    const reply = await take('/api/operationsExcel', { beginTime: '2026-10-06', endTime: '2026-10-06' });
    expect([reply.status, reply.headers['content-type'], reply.headers['content-disposition']]).toEqual([
      200,
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      expect.stringContaining(`UTF-8''${encodeURIComponent('操作日志_2026-10-06_2026-10-06.xlsx')}`),
    ]);
    const [head, ...rows] = await cells(reply.bytes);
    expect(head).toEqual(['时间', '用户名', 'IP 地址', '接口', '操作', '参数', '状态码', '结果', '次数']);
    expect(rows).toEqual([
      [new Date('2026-10-06T23:59:59Z'), 'late', '10.0.0.1', 'POST /api/x', '输入有误', null, 400, '失败', 1],
      [new Date('2026-10-06T08:00:00Z'), '=cmd|x', '10.0.0.1', 'POST /api/x', '新增账号', '+1+1', 200, '成功', 1],
    ]);
  });

  test('the login log, in another language and zone', async () => {
    await login({ username: 'parisian', at: '2026-10-07T23:30:00Z', message: 'wrongCaptcha' });
    const reply = await take(
      '/api/logInExcel',
      { beginTime: '2026-10-08', endTime: '2026-10-08' },
      { 'accept-language': 'fr-FR', timezoneoffset: '-420' },
    );
    expect(reply.headers['content-disposition']).toContain(
      encodeURIComponent('Journal des connexions_2026-10-08_2026-10-08.xlsx'),
    );
    expect(await cells(reply.bytes)).toEqual([
      ['Heure', 'Nom d’utilisateur', 'Adresse IP', 'Information', 'Résultat', 'Nombre'],
      [new Date('2026-10-08T00:30:00Z'), 'parisian', '10.0.0.2', expect.any(String), 'Échec', 1],
    ]);
  });

  test('more rows than a batch come out whole and in order', async () => {
    await app.database.pool.query(
      `INSERT INTO login_log (username, ip, at, message, status)
        SELECT 'batch' || i, '-', timestamptz '2026-07-01T00:00:00Z' + (i / 3) * interval '1 microsecond', 'signedIn',
        'success' FROM generate_series(1, 1700) i`,
    );
    const [, ...rows] = await readSheet(
      (await take('/api/logInExcel', { beginTime: '2026-07-01', endTime: '2026-07-01' })).bytes,
    );
    expect(rows.map((row) => row[1])).toEqual(Array.from({ length: 1700 }, (_, at) => `batch${1700 - at}`));
  });

  test.each([
    ['reversed', { beginTime: '2026-10-07', endTime: '2026-10-06' }, [['endTime', 'minimum']]],
    [
      'malformed',
      { beginTime: '07.11.2026', endTime: '2026-13-01' },
      [
        ['beginTime', 'format'],
        ['endTime', 'format'],
      ],
    ],
    ['in the future', { beginTime: '2026-11-20', endTime: '2026-11-22' }, [['endTime', 'maximum']]],
    [
      'wholly in the future',
      { beginTime: '2026-11-22', endTime: '2026-11-23' },
      [
        ['beginTime', 'maximum'],
        ['endTime', 'maximum'],
      ],
    ],
    [
      'missing',
      {},
      [
        ['beginTime', 'required'],
        ['endTime', 'required'],
      ],
    ],
  ])('days that are %s are refused, field by field', async (_what, body, problems) => {
    const reply = await take('/api/operationsExcel', body);
    expect([reply.status, reply.body.params.map(({ field, rule }) => [field, rule])]).toEqual([400, problems]);
  });

  test('today is the caller’s: where the day has begun already it may be asked for', async () => {
    clock.set(new Date('2026-11-21T15:30:00Z'));
    const tomorrowInBeijing = { beginTime: '2026-11-22', endTime: '2026-11-22' };
    expect([
      (await take('/api/logInExcel', tomorrowInBeijing)).status,
      (await take('/api/logInExcel', tomorrowInBeijing, { timezoneoffset: '60' })).status,
    ]).toEqual([400, 200]);
  });

  test('who took what stands in the operation log; a refused one too', async () => {
    await take('/api/logInExcel', { beginTime: '2026-10-07', endTime: '2026-10-08' });
    const row = await app.db
      .selectFrom('operation_log')
      .select(['username', 'message', 'params', 'status'])
      .where('uri', '=', 'POST /api/logInExcel')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({
      username: 'reader',
      message: 'log.exportLogins',
      params: '{"beginTime":"2026-10-07","endTime":"2026-10-08","rows":1}',
      status: 200,
    });
    await take('/api/logInExcel', { beginTime: '2026-10-08', endTime: '2026-10-07' });
    expect(
      (
        await app.db
          .selectFrom('operation_log')
          .select('status')
          .where('uri', '=', 'POST /api/logInExcel')
          .orderBy('id', 'desc')
          .limit(1)
          .executeTakeFirstOrThrow()
      ).status,
    ).toBe(400);
  });

  test('more rows than an export may hold are refused with the count before any work', async () => {
    await app.database.pool.query(
      `INSERT INTO login_log (username, ip, at, message, status)
        SELECT 'flood', '-', timestamptz '2026-05-01T00:00:00Z' + i * interval '1 millisecond', 'x', 'failure'
        FROM generate_series(1, 2001) i`,
    );
    const reply = await take('/api/logInExcel', { beginTime: '2026-05-01', endTime: '2026-05-01' });
    expect([reply.status, reply.body.message, reply.body.params[0]?.field]).toEqual([
      400,
      '共 2001 条，超过一次最多导出的 2000 条，请缩短日期范围。',
      'endTime',
    ]);
  });
});

describe('exports at once (decision record 17)', () => {
  const days = { beginTime: '2026-04-01', endTime: '2026-04-01' };
  const held = new Set<ClientRequest>();
  const leaveAll = () => held.forEach((call) => call.destroy());
  afterAll(leaveAll);
  let origin = '';

  /** Begins an export over a connection of its own and takes nothing of it; a refusal is read. */
  async function hold(as: string) {
    const call = request(`${origin}/api/operationsExcel`, {
      method: 'POST',
      agent: false,
      headers: { authorization: as, 'content-type': 'application/json' },
    });
    held.add(call);
    call.on('error', () => undefined).end(JSON.stringify(days));
    const [reply] = (await once(call, 'response')) as [IncomingMessage];
    reply.on('error', () => undefined);
    const refusal = reply.statusCode === 200 ? undefined : ((await json(reply)) as { code: number; message: string });
    return { status: reply.statusCode, retryAfter: reply.headers['retry-after'], refusal, leave: () => call.destroy() };
  }

  test('two in a process, one an account; who leaves makes room, and his thread and query end', async () => {
    // More than the buffers of a connection hold.
    await app.database.pool.query(`INSERT INTO operation_log (username, uri, ip, at, params, message, status)
      SELECT 'wide', '-', '-', timestamptz '2026-04-01T00:00:00Z' + i * interval '1 second',
        (SELECT string_agg(md5(i || '-' || j), '') FROM generate_series(1, 1000) j), 'x', 200
        FROM generate_series(1, 900) i`);
    origin = await app.app.listen({ port: 0, host: '127.0.0.1' });
    const [{ token: second }, { token: third }] = [
      await app.signIn({ username: 'second', permissions: ['cscp.logging.operation'] }),
      await app.signIn({ username: 'third', permissions: ['cscp.logging.operation'] }),
    ];
    const first = await hold(token);
    const own = await hold(token);
    expect([first.status, own.status, own.retryAfter, own.refusal]).toEqual([
      200,
      429,
      '30',
      expect.objectContaining({
        code: 3602,
        message: '同时导出的文件过多，请等待其中一个完成后重试，或改用任务导出。',
      }),
    ]);
    const other = await hold(second);
    expect([other.status, (await hold(third)).status]).toEqual([200, 429]);
    first.leave();
    await expect.poll(async () => (await hold(third)).status, { timeout: 10_000 }).toBe(200);
    leaveAll();
    const workers = async () =>
      (
        await app.database.pool.query<{ n: number }>(
          `SELECT count(*) AS n FROM pg_stat_activity WHERE application_name = 'lampyris sheet'
            AND datname = current_database()`,
        )
      ).rows[0]?.n;
    await expect.poll(workers, { timeout: 10_000 }).toBe(0);
  });

  test('a refused one keeps no place', async () => {
    const { token: careless } = await app.signIn({ username: 'careless', permissions: ['cscp.logging.login'] });
    const ask = async (body: object) => (await app.call('/api/logInExcel', { token: careless, body })).status;
    expect([
      await ask({ beginTime: '2026-04-02', endTime: '2026-04-01' }),
      await ask({ beginTime: '2026-04-03', endTime: '2026-04-03' }),
      await ask({ beginTime: '2026-04-03', endTime: '2026-04-03' }),
    ]).toEqual([400, 200, 200]);
  });
});
