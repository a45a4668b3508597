import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { livePath, type ServerMessage } from '../../../../contract/live.ts';
import { createLive } from '../../platform/live/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { startBus, type RunningBus } from '../../platform/bus/index.ts';
import { createLog } from '../../platform/log.ts';
import { hints } from '../../testing/hints.ts';
import { rightsTestApp, type RightsTestApp } from '../../testing/rights.ts';
import { createLiveTopics } from '../../shell/live/index.ts';

/**
 * A change of rights is in force on the next request and told to open consoles, also to those of another process
 * (specified 1.17).
 */
const app: RightsTestApp = await rightsTestApp();
const log = createLog('warn');
const clock = systemClock(() => undefined);
const role = await app.role('Watched', app.menus('lamp', 'lamp-monitor', 'lamp-monitor-view'));
const token = await app.account('watching', 5, [role]);
let otherProcess: RunningBus;
let url = '';

beforeAll(async () => {
  // The socket hangs on a bus of its own, as in a second server process.
  otherProcess = await startBus(app.database.connection, log);
  const { topics, start } = createLiveTopics({ db: app.db, bus: otherProcess, clock, log, hints });
  const stopTopics = start();
  const live = createLive({
    topics,
    clock,
    bus: otherProcess,
    log,
    allowedOrigins: [],
    authenticate: (held) => app.sessions.authenticate(held, { background: true }),
    callers: app.sessions.callers,
  });
  await app.app.listen({ host: '127.0.0.1', port: 0 });
  live.attach(app.app.server);
  const address = app.app.server.address();
  url = `ws://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}${livePath}`;
  afterAll(async () => {
    stopTopics();
    await live.stop();
    await otherProcess.stop();
  });
});

/** A console that watches its menus: every hint it gets, one after the other. */
async function openConsole() {
  const socket = new WebSocket(url);
  const messages: ServerMessage[] = [];
  const waiting: (() => void)[] = [];
  socket.on('message', (data) => {
    messages.push(JSON.parse(String(data)) as ServerMessage);
    waiting.splice(0).forEach((wake) => wake());
  });
  await once(socket, 'open');
  const next = async (type: ServerMessage['type']): Promise<void> => {
    while (!messages.some((message) => message.type === type))
      await new Promise<void>((resolve) => waiting.push(resolve));
    messages.splice(
      messages.findIndex((message) => message.type === type),
      1,
    );
  };
  socket.send(JSON.stringify({ type: 'hello', token, workAreaId: null }));
  await next('welcome');
  socket.send(JSON.stringify({ type: 'subscribe', topics: ['menus'] }));
  socket.send(JSON.stringify({ type: 'ping' }));
  await next('pong');
  return { next, close: () => socket.terminate() };
}

const names = async () =>
  (await app.call<{ name: string }[]>('/api/user/cscpMenus', { token })).body.map(({ name }) => name);

test('what a role loses, wins or is called reaches an open console, and the next request', async () => {
  const console = await openConsole();
  const saved = await app.form('/api/system/menu/save', {
    roles: String(role),
    menus: String(app.menu('lamp-monitor-control')),
    permissions: '',
  });
  expect(saved.status).toBe(200);
  expect(await names()).toEqual(['lamp', 'lamp-monitor', 'lamp-monitor-control']);
  await console.next('menus');

  const asked = await app.call('/api/system/menu/getMenu?parentId=0', { token });
  expect(asked).toMatchObject({ status: 403, body: { code: 1201 } });
  await app.call('/api/system/menu/addMenu', {
    method: 'PUT',
    body: { id: app.menu('lamp-monitor-control'), permissionCode: 'cscp.role.query' },
  });
  await console.next('menus');
  expect((await app.call('/api/cscpRolesCreators', { token })).status).toBe(200);

  await app.call('/api/system/menu/updateMenu', { method: 'PUT', body: [{ id: app.menu('lamp-device'), orderby: 9 }] });
  await console.next('menus');
  await app.call(`/api/system/menu/deleteMenu/${app.menu('lamp')}`, { method: 'DELETE' });
  await console.next('menus');
  expect(await app.call('/api/user/cscpMenus', { token })).toMatchObject({ status: 403, body: { code: 1204 } });
  expect((await app.call('/api/cscpRolesCreators', { token })).status).toBe(403);
  console.close();
});

test('a refused change tells nobody', async () => {
  const heard: string[] = [];
  const stop = app.bus.subscribe('rights.changed', () => heard.push('rights.changed'));
  await app.form('/api/system/menu/save', { roles: String(role), menus: '999999', permissions: '' });
  await app.call('/api/system/menu/updateMenu', { method: 'PUT', body: [{ id: 999_999 }] });
  expect(heard).toEqual([]);
  await app.call('/api/cscpRolesCreators', { body: { name: 'Told', roleExtent: 'x' } });
  expect(heard).toEqual(['rights.changed']);
  stop();
});
