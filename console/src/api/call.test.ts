import type { IncomingHttpHeaders } from 'node:http';
import { Type } from 'typebox';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { route, specified } from '../../../contract/route.ts';
import { getCurrentUser, getWorkAreaOptions } from '../../../contract/specified/account.ts';
import { getPasswordRule, logout, refreshToken } from '../../../contract/specified/sign-in.ts';
import { lastResponseAt, storeToken, storeWorkId } from '../session/index.ts';
import { contractServer, type ContractServer } from '../testing/contract-server.ts';
import { watchActivity } from './activity.ts';
import { ApiError, call, download, reactToRefusals } from './index.ts';

const readOne = route({
  method: 'GET',
  path: '/api/v1/things/:id',
  tag: 'test',
  access: 'session',
  summary: 'A thing.',
  params: Type.Object({ id: Type.String() }),
  query: Type.Object({ name: Type.Optional(Type.String()), ids: Type.Optional(Type.Array(Type.Integer())) }),
  reply: Type.Object({ ok: Type.Boolean() }),
});
const sendForm = specified({
  method: 'POST',
  path: '/api/system/menu/save',
  action: 'thing.change',
  tag: 'test',
  access: 'session',
  summary: 'A form.',
  encoding: 'form',
  body: Type.Object({ roles: Type.String(), menus: Type.String(), permissions: Type.String() }),
  reply: Type.Object({ success: Type.Boolean() }),
});
const change = route({
  method: 'PUT',
  path: '/api/v1/things/:id',
  action: 'thing.change',
  tag: 'test',
  access: 'session',
  summary: 'Changes a thing.',
  replyKind: 'empty',
  status: 204,
  params: Type.Object({ id: Type.Integer() }),
  body: Type.Object({ name: Type.String() }),
  reply: Type.Null(),
});

let server: ContractServer;
const signedOut = vi.fn();
const forbidden = vi.fn<(error: ApiError) => void>();

beforeEach(async () => {
  vi.clearAllMocks();
  reactToRefusals({ signedOut, forbidden });
  server = await contractServer();
});
afterEach(async () => {
  reactToRefusals(undefined);
  await server.close();
});

const failure = async (work: Promise<unknown>): Promise<ApiError> => {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error('expected an ApiError');
  return error;
};

describe('what travels', () => {
  test('path, query without its empty fields, lists repeated', async () => {
    server.answer(readOne, { ok: true });
    await call(readOne, { params: { id: 'a/b c' }, query: { name: '', ids: [1, 2] } });
    expect(server.seen[0]?.path).toBe('/api/v1/things/a%2Fb%20c');
    expect(server.seen[0]?.query.toString()).toBe('ids=1&ids=2');
  });

  test('the headers (specified 10.1)', async () => {
    localStorage.setItem('locale', 'fr_FR');
    storeToken('Bearer abc');
    storeWorkId(7);
    server.answer(getCurrentUser, {} as never);
    await call(getCurrentUser);
    const headers: IncomingHttpHeaders = server.seen[0]?.headers ?? {};
    expect(headers.authorization).toBe('Bearer abc');
    expect(headers['accept-language']).toBe('fr-FR');
    expect(headers.workid).toBe('7');
    expect(headers.timezoneoffset).toMatch(/^-?\d+$/);
    expect(headers['x-background']).toBeUndefined();
  });

  test('nothing stands in for a missing token or work area', async () => {
    server.answer(getWorkAreaOptions, { success: true, msg: '', data: [] });
    await call(getWorkAreaOptions);
    expect(server.seen[0]?.headers.authorization).toBeUndefined();
    expect(server.seen[0]?.headers.workid).toBeUndefined();
  });

  test('requests of its own are marked as background', async () => {
    server.answer(getCurrentUser, {} as never);
    await call(getCurrentUser, {}, { background: true });
    expect(server.seen[0]?.headers['x-background']).toBe('1');
  });

  test('form encoding keeps empty fields, as the family sends them', async () => {
    server.answer(sendForm, { success: true });
    await call(sendForm, { body: { roles: '3', menus: '1,2', permissions: '' } });
    expect(server.seen[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(server.seen[0]?.body).toBe('roles=3&menus=1%2C2&permissions=');
  });

  test('JSON bodies, and an answer without content', async () => {
    server.on(change, () => ({ status: 204, body: '' }));
    expect(await call(change, { params: { id: 5 }, body: { name: '灯' } })).toBeUndefined();
    expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({ name: '灯' });
  });

  test('plain text is not parsed', async () => {
    server.on(getPasswordRule, () => ({
      status: 200,
      body: '8–20',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    }));
    expect(await call(getPasswordRule)).toBe('8–20');
  });
});

describe('a download', () => {
  test('is saved under the server’s name, else under the one handed in', async () => {
    const saved: string[] = [];
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined }));
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    const file = route({
      method: 'GET',
      path: '/api/v1/file',
      tag: 'test',
      access: 'session',
      summary: 'A file.',
      replyKind: 'file',
      sends: ['text/plain'],
      reply: Type.Unknown(),
    });
    server.on(file, () => ({
      status: 200,
      body: 'x',
      headers: { 'content-type': 'text/csv', 'content-disposition': "attachment; filename*=UTF-8''%E7%81%AF.xlsx" },
    }));
    await download(file, {}, 'lamps.xlsx');
    server.on(file, () => ({ status: 200, body: 'x', headers: { 'content-type': 'text/csv' } }));
    await download(file, {}, 'lamps.xlsx');
    expect(saved).toEqual(['灯.xlsx', 'lamps.xlsx']);
    vi.restoreAllMocks();
  });
});

describe('what comes back', () => {
  test('the last response is remembered, except that of the token refresh', async () => {
    server.answer(refreshToken, { token: 'Bearer new' });
    await call(refreshToken, { query: { rememberme: 0 } }, { unrecorded: true });
    expect(lastResponseAt()).toBeUndefined();
    server.answer(getCurrentUser, {} as never);
    await call(getCurrentUser);
    expect(lastResponseAt()).toBeGreaterThan(0);
  });

  test('a refusal is an ApiError with the catalogue’s code, the server’s sentence and every field', async () => {
    server.refuse(readOne, 400, {
      code: 1001,
      detail: '名称太长',
      requestId: 'r-9',
      params: [{ field: 'name', rule: 'maxLength', message: '最多 20 字' }],
    });
    const error = await failure(call(readOne, { params: { id: '1' }, query: {} }));
    expect(error).toMatchObject({
      kind: 'problem',
      status: 400,
      code: 1001,
      requestId: 'r-9',
      message: '名称太长',
      fieldErrors: { name: '最多 20 字' },
    });
    expect(forbidden).not.toHaveBeenCalled();
  });

  test('401 leads to sign-in once', async () => {
    storeToken('Bearer old');
    server.refuse(getCurrentUser, 401, { code: 1102, message: '会话已结束' });
    expect((await failure(call(getCurrentUser))).status).toBe(401);
    expect(signedOut).toHaveBeenCalledTimes(1);
  });

  test('401 for a token that another tab has replaced meanwhile changes nothing', async () => {
    storeToken('Bearer old');
    server.on(getCurrentUser, () => {
      storeToken('Bearer new');
      return { status: 401, body: { status: 401 } };
    });
    await failure(call(getCurrentUser));
    expect(signedOut).not.toHaveBeenCalled();
  });

  test('401 on the sign-in screen is passed on', async () => {
    window.history.replaceState(null, '', '/login');
    server.refuse(getCurrentUser, 401, {});
    await failure(call(getCurrentUser));
    expect(signedOut).not.toHaveBeenCalled();
    window.history.replaceState(null, '', '/');
  });

  test('403 shows the server’s message; a region that shows it itself stays quiet, and so does what the console asks by itself; a refused change always says so', async () => {
    server.refuse(getCurrentUser, 403, { code: 1201, message: '缺少权限 lamp.control' });
    await failure(call(getCurrentUser, {}, { background: false }));
    expect(forbidden).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message: '缺少权限 lamp.control' }));
    await failure(call(getCurrentUser, {}, { background: false, quiet: true }));
    await failure(call(getCurrentUser, {}, { background: true }));
    expect(forbidden).toHaveBeenCalledTimes(1);
    server.refuse(logout, 403, { code: 1201, message: '缺少权限 cscp.user.del' });
    await failure(call(logout, {}, { background: false, quiet: true }));
    expect(forbidden).toHaveBeenLastCalledWith(expect.objectContaining({ message: '缺少权限 cscp.user.del' }));
  });

  test('who asked is judged when it is sent: what the operator began warns, however late the answer comes', async () => {
    server.on(getCurrentUser, () => {
      // The operator's hands have rested for an hour by now.
      vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
      return { status: 403, body: { status: 403, code: 1201, message: '缺少权限 lamp.control' } };
    });
    const stopWatching = watchActivity();
    await failure(call(getCurrentUser));
    vi.restoreAllMocks();
    stopWatching();
    expect(forbidden).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message: '缺少权限 lamp.control' }));
  });

  test('no network is silent, and says so to the region that waited', async () => {
    await server.close();
    const error = await failure(call(getCurrentUser));
    expect(error).toMatchObject({ kind: 'network', message: '' });
    expect(signedOut).not.toHaveBeenCalled();
    expect(forbidden).not.toHaveBeenCalled();
  });

  test('a proxy’s page instead of a problem body leaves the status', async () => {
    server.on(getCurrentUser, () => ({
      status: 502,
      body: '<html>',
      headers: { 'content-type': 'text/html', 'x-request-id': 'p-1' },
    }));
    expect(await failure(call(getCurrentUser))).toMatchObject({ status: 502, message: '', requestId: 'p-1' });
  });

  test('a call that was stopped says so', async () => {
    const stop = new AbortController();
    server.on(getCurrentUser, () => {
      stop.abort();
      return { status: 200, body: {} };
    });
    expect((await failure(call(getCurrentUser, {}, { signal: stop.signal }))).kind).toBe('aborted');
  });

  test('20 seconds without a first byte are a timeout', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let arrived: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    server.on(getCurrentUser, () => {
      arrived();
      return new Promise(() => undefined);
    });
    const answer = failure(call(getCurrentUser));
    await waiting;
    vi.advanceTimersByTime(20_000);
    expect((await answer).kind).toBe('timeout');
    vi.useRealTimers();
  });
});
