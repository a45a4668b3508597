import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { timeText } from '../../../../protocols/mqtt-json/codec.ts';
import { clientIdOf } from '../../../../protocols/mqtt-json/topics.ts';
import { createProofs } from '../../light/commands/index.ts';
import { testApp } from '../../testing/app.ts';
import { givenArea, givenCredentials, givenDevice } from '../../testing/devices.ts';
import { createDeviceAccess } from '../../wires/link/index.ts';
import { createIngest, ingestionRoutes, type Ingest } from '../index.ts';

interface Signed {
  readonly id: number;
  readonly authorization: string;
}
interface Reply {
  status: number;
  body: {
    code?: number;
    stored: number;
    duplicates: number;
    refused: number;
    messages: {
      status: string;
      stored: number;
      duplicates: number;
      problems: { reading: number | null; reason: string; detail: string | null }[];
    }[];
  };
  headers: Record<string, unknown>;
}

/** Readings over HTTP, of a lamp and of a gateway with a child; fresh ones before each test. Call it at the top of a test file. */
export async function httpSite() {
  let ingest!: Ingest;
  /** How old the messages were, milliseconds, as it is measured. */
  const ages: number[] = [];
  let checks = 0;
  /** What the check of a wrong password waits for. */
  let held = Promise.resolve();
  const limits = { requestsPerMinute: 20, bytesInWork: 16_000_000, messagesInWork: 1000, answerMs: 30_000 };
  const site = await testApp({
    routes: ({ db, clock, log, bus, rates }) => {
      ingest = createIngest({
        db,
        bus,
        clock,
        log,
        proofs: createProofs({ bus }),
        stored: () => undefined,
        meter: { committed: () => undefined, aged: (milliseconds) => ages.push(milliseconds) },
      });
      const authenticate = createDeviceAccess({ db });
      return ingestionRoutes({
        ingest,
        authenticate: async (who) => {
          checks += 1;
          if (who.password.toString() === 'wrong') await held;
          return authenticate(who);
        },
        rates,
        limits,
      });
    },
    logLevel: 'silent',
  });
  const { db, clock, app, adminToken } = site;
  afterAll(() => ingest.stop());

  let lamp: Signed;
  let gateway: Signed;
  let child = 0;

  async function signed(family: string): Promise<Signed> {
    const id = await givenDevice(db, { family });
    return {
      id,
      authorization: `Basic ${Buffer.from(`${clientIdOf(id)}:${await givenCredentials(db, id)}`).toString('base64')}`,
    };
  }

  beforeAll(() => givenArea(db));
  beforeEach(async () => {
    await clock.advance(60_000);
    lamp = await signed('single-lamp-controller');
    gateway = await signed('central-controller');
    child = await givenDevice(db, { parentId: gateway.id });
  });

  const full = { level: 60, power: 57.5, relay: true, voltage: 226.8 };
  const now = () => clock.now().getTime();
  const reading = (minutesAgo = 0, values: object = full) => ({ at: timeText(now() - minutesAgo * 60_000), values });
  const message = (readings: object[] = [reading()], more: object = {}) => ({
    sentAt: timeText(now()),
    readings,
    ...more,
  });

  async function send(
    who: Signed | null,
    body: unknown,
    { type = 'application/json', ...headers }: Record<string, string> = {},
    from = '192.0.2.1',
  ): Promise<Reply> {
    const payload = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const reply = await app.inject({
      method: 'POST',
      url: '/api/v1/ingest/readings',
      payload,
      remoteAddress: from,
      headers: { 'content-type': type, ...(who ? { authorization: who.authorization } : {}), ...headers },
    });
    return { status: reply.statusCode, body: JSON.parse(reply.body) as Reply['body'], headers: reply.headers };
  }
  const rowsOf = async (id: number) =>
    (
      await sql<{
        at: Date;
        quality: number;
        values: unknown;
      }>`SELECT at, quality, values FROM reading WHERE device_id = ${id} ORDER BY at`.execute(db)
    ).rows;

  return {
    ingest,
    ages,
    get checks() {
      return checks;
    },
    get held() {
      return held;
    },
    set held(next) {
      held = next;
    },
    limits,
    adminToken,
    db,
    clock,
    get lamp() {
      return lamp;
    },
    get gateway() {
      return gateway;
    },
    get child() {
      return child;
    },
    full,
    now,
    reading,
    message,
    send,
    rowsOf,
  };
}
