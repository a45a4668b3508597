import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { logout, refreshToken } from '../../../contract/specified/sign-in.ts';
import { startPreview, storedToken, storeSession } from '../session/index.ts';
import { contractServer, type ContractServer } from '../testing/contract-server.ts';
import { lastActivityAt, watchActivity } from './activity.ts';
import { endWhenIdle, keepSession, refreshOnce } from './session-keeper.ts';

const MINUTE = 60_000;
let server: ContractServer;
let stopWatching: () => void;

beforeEach(async () => {
  storeSession({ token: 'Bearer one', username: 'admin', rememberMe: false });
  server = await contractServer();
  server.answer(refreshToken, { token: 'Bearer two' });
  server.answer(logout, { success: true });
  stopWatching = watchActivity();
});
afterEach(async () => {
  stopWatching();
  vi.restoreAllMocks();
  await server.close();
});

test('the refresh rotates the stored token and says whether the session is to be remembered', async () => {
  await refreshOnce(Date.now() + MINUTE);
  expect(storedToken()).toBe('Bearer two');
  expect(server.of(refreshToken)[0]?.query.get('rememberme')).toBe('0');
});

test('of several tabs one refreshes a minute', async () => {
  const now = Date.now();
  await refreshOnce(now);
  await refreshOnce(now + 10_000);
  expect(server.of(refreshToken)).toHaveLength(1);
});

test('a refresh whose answer is lost is asked again well before the old token ends, by another tab too', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  const began = Date.now();
  const exchanges: Promise<Response>[] = [];
  const direct = globalThis.fetch;
  vi.stubGlobal('fetch', (...args: Parameters<typeof fetch>) => {
    const exchange = direct(...args);
    exchanges.push(exchange);
    return exchange;
  });
  const asked: { seconds: number; token: string | undefined }[] = [];
  server.on(refreshToken, ({ headers }) => {
    asked.push({ seconds: (Date.now() - began) / 1000, token: headers.authorization });
    // The server has replaced the token; what it says is lost on its way, twice.
    return asked.length < 3
      ? { status: 502, body: '<html>', headers: { 'content-type': 'text/html' } }
      : { status: 200, body: { token: 'Bearer two' } };
  });
  const seconds = async (count: number): Promise<void> => {
    for (let second = 0; second < count; second += 1) {
      vi.advanceTimersByTime(1000);
      // No second passes while the server still has to answer what was asked in it, or while its token is not yet kept.
      await Promise.all(exchanges);
      while (asked.length === 3 && storedToken() !== 'Bearer two')
        await new Promise((resolve) => {
          setTimeout(resolve, 1);
        });
    }
  };
  const close = keepSession(() => undefined);
  await seconds(70);
  close();
  const closeOther = keepSession(() => undefined);
  await seconds(30);
  closeOther();
  expect(asked.map(({ token }) => token)).toEqual(Array(3).fill('Bearer one'));
  const [first, , last] = asked.map((one) => one.seconds);
  expect(first).toBeGreaterThanOrEqual(50);
  expect((last ?? Infinity) - (first ?? 0)).toBeLessThan(50);
  expect(storedToken()).toBe('Bearer two');
  vi.useRealTimers();
});

test('a refresh without activity since the last one does not keep the session awake', async () => {
  await refreshOnce(lastActivityAt() + MINUTE);
  await refreshOnce(lastActivityAt() + 3 * MINUTE);
  expect(server.of(refreshToken).map((request) => request.headers['x-background'])).toEqual([undefined, '1']);
});

test('after 30 idle minutes the session ends on the server and here', async () => {
  const go = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  expect(endWhenIdle(lastActivityAt() + 29 * MINUTE)).toBe(false);
  expect(endWhenIdle(lastActivityAt() + 31 * MINUTE)).toBe(true);
  expect(storedToken()).toBeUndefined();
  await vi.waitFor(() => expect(server.of(logout)).toHaveLength(1));
  go.mockRestore();
});

test('"remember me" does not end by idling', () => {
  storeSession({ token: 'Bearer one', username: 'admin', rememberMe: true });
  expect(endWhenIdle(lastActivityAt() + 24 * 60 * MINUTE)).toBe(false);
});

test('a preview’s heartbeat rotates its own token every half minute and leaves the administrator’s session alone', async () => {
  const shared = () => ({ ...localStorage, lastActivity: '' });
  const before = shared();
  startPreview({ token: 'Bearer preview', username: 'wangwei', displayName: '王伟' });
  const now = Date.now();
  await refreshOnce(now);
  await refreshOnce(now + 10_000);
  await refreshOnce(now + 30_000);
  expect(
    server
      .of(refreshToken)
      .map(({ headers, query }) => [headers.authorization, headers['x-background'], query.get('rememberme')]),
  ).toEqual([
    ['Bearer preview', '1', '0'],
    ['Bearer two', '1', '0'],
  ]);
  expect(storedToken()).toBe('Bearer two');
  expect(shared()).toEqual(before);
});

test('an idle preview ends itself only', async () => {
  const go = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  startPreview({ token: 'Bearer preview', username: 'wangwei', displayName: '王伟' });
  expect(endWhenIdle(lastActivityAt() + 31 * MINUTE)).toBe(true);
  await vi.waitFor(() => expect(server.of(logout)).toHaveLength(1));
  expect([server.of(logout)[0]?.headers.authorization, storedToken(), localStorage.getItem('token')]).toEqual([
    'Bearer preview',
    undefined,
    'Bearer one',
  ]);
  go.mockRestore();
});
