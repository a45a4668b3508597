import { describe, expect, test } from 'vitest';
import { languages } from '../../../../catalogue/languages.ts';
import { records } from '../../../../catalogue/index.ts';
import type { RouteShape } from '../../../../contract/route.ts';
import { outcomeKeys } from './action-keys.ts';
import { written } from './texts/index.ts';
import { messageText } from './texts.ts';
import { logsOffice, type List } from './testing/logs-office.ts';

const { app, token, operationPath, loginPath, read, operations, logins, operation, login } = await logsOffice();

const actionKeys = Object.keys(written['zh-CN'].actions);

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
