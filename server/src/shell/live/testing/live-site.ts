import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { WebSocket } from 'ws';
import { livePath } from '../../../../../contract/live.ts';
import { createLive, type Live } from '../../../platform/live/index.ts';
import { createLog } from '../../../platform/log.ts';
import { testApp } from '../../../testing/app.ts';
import { testClock } from '../../../testing/clock.ts';
import { givenArea, givenDevice } from '../../../testing/devices.ts';
import { hints } from '../../../testing/hints.ts';
import { liveReaders } from '../../../testing/live-readers.ts';
import { createLiveTopics } from '../index.ts';

/** The live socket with its topics, and readers of it. Call it at the top of a test file. */
export async function liveSite() {
  const clock = testClock();
  const app = await testApp({ clock });
  const { db, bus, sessions } = app;
  const log = createLog('silent');
  let live: Live;
  let url = '';
  let stopTopics: () => void;
  const lampIds: number[] = [];

  beforeAll(async () => {
    await givenArea(db);
    await sql`INSERT INTO work_area (id, work_code, work_name) VALUES (2, 'A2', '西区') ON CONFLICT DO NOTHING`.execute(
      db,
    );
    lampIds.push(await givenDevice(db), await givenDevice(db, { workAreaId: 2, roadId: null }));
    for (const id of lampIds) {
      await sql`INSERT INTO device_state (device_id, state, online, lit, level, since, judged_at)
      VALUES (${id}, 'dimmed', true, true, 60, now(), now())`.execute(db);
    }
    const topics = createLiveTopics({ db, bus, clock, log, hints });
    stopTopics = topics.start();
    live = createLive({
      topics: topics.topics,
      authenticate: (token) => sessions.authenticate(token, { background: true }),
      callers: (ids) => sessions.callers(ids),
      allowedOrigins: ['https://other.example'],
      clock,
      bus,
      log,
    });
    await app.app.listen({ host: '127.0.0.1', port: 0 });
    live.attach(app.app.server);
    const address = app.app.server.address();
    url = `ws://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}${livePath}`;
  });
  afterAll(async () => {
    stopTopics();
    await live.stop();
  });
  const open: WebSocket[] = [];
  afterEach(() => open.splice(0).forEach((socket) => socket.terminate()));

  const { connect, signedIn, watching } = liveReaders(() => url, open);

  return {
    clock,
    app,
    db,
    bus,
    sessions,
    log,
    get url() {
      return url;
    },
    lampIds,
    open,
    connect,
    signedIn,
    watching,
  };
}
