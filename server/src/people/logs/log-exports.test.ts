import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { readSheet } from 'read-excel-file/node';
import { afterAll, describe, expect, test } from 'vitest';
import { logsOffice } from './testing/logs-office.ts';

const { cells, clock, app, token, operation, login } = await logsOffice();

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
      encodeURIComponent('Journal des accès_2026-10-08_2026-10-08.xlsx'),
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

  // First: who leaves an export keeps its place for a moment.
  test('a refused one keeps no place', async () => {
    const { token: careless } = await app.signIn({ username: 'careless', permissions: ['cscp.logging.login'] });
    const ask = async (body: object) => (await app.call('/api/logInExcel', { token: careless, body })).status;
    expect([
      await ask({ beginTime: '2026-04-02', endTime: '2026-04-01' }),
      await ask({ beginTime: '2026-04-03', endTime: '2026-04-03' }),
      await ask({ beginTime: '2026-04-03', endTime: '2026-04-03' }),
    ]).toEqual([400, 200, 200]);
  });

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
});
