import { setTimeout as sleep } from 'node:timers/promises';
import { ingestReadings, mostIngestMessages, mostIngestRequestsPerMinute } from '../../../contract/wires/ingestion.ts';
import { deviceOfAccount } from '../../../protocols/wire.ts';
import {
  addressKey,
  bind,
  refuse,
  type Binding,
  type RateWindows,
  type RequestContext,
} from '../platform/http/index.ts';
import type { Authenticate } from '../platform/mqtt/index.ts';
import { WrongPasswords } from '../platform/wrong-passwords.ts';
import type { Ingest } from './ingest.ts';
import { messagesIn } from './message-list.ts';
import type { Outcome } from './outcome.ts';

export interface HttpIngestionParts {
  readonly ingest: Pick<Ingest, 'openReadings' | 'debtMs' | 'toldToWait'>;
  /** The same check of credentials as at the broker. */
  readonly authenticate: Authenticate;
  readonly rates: RateWindows;
  readonly limits?: Partial<HttpLimits>;
}

export interface HttpLimits {
  /** Bytes of bodies that may be in memory at once, in all. */
  readonly bytesInWork: number;
  /**
   * Messages that may wait for the database at once, in all: one that was read takes a few kilobytes, however small it
   * came.
   */
  readonly messagesInWork: number;
  /** How long an answer waits for the database, milliseconds; what was taken is stored later none the less. */
  readonly answerMs: number;
  readonly requestsPerMinute: number;
}

const defaults: HttpLimits = {
  bytesInWork: 64 * 1024 * 1024,
  messagesInWork: 20_000,
  answerMs: 30_000,
  requestsPerMinute: mostIngestRequestsPerMinute,
};
const challenge = { 'www-authenticate': 'Basic realm="devices", charset="UTF-8"' } as const;
const waitSeconds = 5;
const later = { 'retry-after': String(waitSeconds) } as const;

/**
 * Readings over HTTP: signed by a device or gateway, checked and stored on the same path as those that come by MQTT.
 */
export function ingestionRoutes({ ingest, authenticate, rates, limits = {} }: HttpIngestionParts): Binding[] {
  const limit = (name: keyof HttpLimits): number => limits[name] ?? defaults[name];
  let inWork = 0;
  let waiting = 0;
  const wrongPasswords = new WrongPasswords();

  /** The id of the device that signed the request. */
  async function identify({ headers, address }: RequestContext<unknown>): Promise<number> {
    const given = credentialsIn(headers.authorization);
    const deviceId = given && deviceOfAccount(given.username);
    // Who sent none, or a name that is no device's, is told what is wanted; that costs no question.
    if (given === undefined || deviceId === undefined) throw refuse('deviceCredentials', {}, { headers: challenge });
    const [from, { username }] = [addressKey(address), given];
    const rights = await wrongPasswords.check(from, username, () =>
      authenticate({ ...given, clientId: username, address }),
    );
    if (rights === undefined) throw tooManyTries(waitSeconds);
    if (!rights || 'denied' in rights) {
      wrongPasswords.refused(from, username);
      throw refuse('deviceCredentials', {}, { headers: challenge });
    }
    wrongPasswords.passed(from, username);
    if ((await rates.add('ingest', `device-${deviceId}`)) > limit('requestsPerMinute'))
      throw tooManyTries(rates.secondsLeft());
    refuseInDebt(deviceId, ingest.debtMs(deviceId));
    return deviceId;
  }

  /** The same budgets as over MQTT, whose socket would not be read on. */
  function refuseInDebt(speakerId: number, debtMs: number): void {
    if (debtMs === 0) return;
    ingest.toldToWait(speakerId);
    throw tooManyTries(Math.ceil(debtMs / 1000));
  }

  /** The whole body, unpacked; counted while it comes. */
  async function readBody(upload: AsyncIterable<Uint8Array>, taken: (bytes: number) => void): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    try {
      for await (const chunk of upload) {
        taken(chunk.length);
        if (inWork > limit('bytesInWork')) throw refuse('notReady', {}, { headers: later });
        chunks.push(chunk);
      }
    } catch (thrown) {
      // A body that does not unpack; where the device broke off nobody hears the answer.
      throw isPacking(thrown) ? refuse('malformedBody') : thrown;
    }
    return Buffer.concat(chunks);
  }

  /** `settled`: nothing of it is in memory any more, which may be long after the answer. */
  async function store(opened: readonly ReturnType<Ingest['openReadings']>[], settled: () => void): Promise<Outcome[]> {
    const late = new AbortController();
    const patience = sleep(limit('answerMs'), undefined, { signal: late.signal, ref: false }).then(
      () => undefined,
      () => undefined,
    );
    const storing = opened.map((message) => message.store());
    void Promise.allSettled(storing).then(settled);
    const outcomes = await Promise.race([Promise.all(storing), patience]);
    late.abort();
    if (!outcomes) throw refuse('notReady', {}, { headers: later });
    return outcomes;
  }

  return [
    bind(ingestReadings, async (_input, ctx) => {
      const deviceId = await identify(ctx);
      ctx.about({ deviceId });
      let own = 0;
      let count = 0;
      let storing = false;
      const done = () => {
        inWork -= own;
        waiting -= count;
      };
      try {
        const body = await readBody(ctx.upload ?? noBody(), (bytes) => {
          own += bytes;
          inWork += bytes;
        });
        const payloads = messagesIn(body, ctx.headers['content-type']?.startsWith('application/x-ndjson') ?? false);
        if (!payloads) throw refuse('malformedBody');
        if (payloads.length > mostIngestMessages) throw refuse('tooLarge', { most: mostIngestMessages });
        if (waiting + payloads.length > limit('messagesInWork')) throw refuse('notReady', {}, { headers: later });
        const opened = payloads.map((payload) => ingest.openReadings({ speakerId: deviceId, payload }));
        refuseInDebt(deviceId, Math.max(0, ...opened.map(({ debtMs }) => debtMs)));
        count = payloads.length;
        waiting += count;
        storing = true;
        const outcomes = await store(opened, done);
        const messages = outcomes.map((outcome) => ({ status: statusOf(outcome), ...outcome }));
        const sum = (of: 'stored' | 'duplicates') => outcomes.reduce((total, outcome) => total + outcome[of], 0);
        return {
          stored: sum('stored'),
          duplicates: sum('duplicates'),
          refused: messages.filter(({ status }) => status === 'refused').length,
          messages,
        };
      } finally {
        if (!storing) done();
      }
    }),
  ];
}

const tooManyTries = (seconds: number) =>
  refuse('tooManyTries', { seconds }, { headers: { 'retry-after': String(seconds) } });

async function* noBody(): AsyncGenerator<Uint8Array> {}

const isPacking = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && /^(Z_|ERR_(_ZLIB|BROTLI|_ERROR))/.test(String(thrown.code));

function statusOf({ stored, duplicates }: Outcome): 'accepted' | 'duplicate' | 'refused' {
  if (stored > 0) return 'accepted';
  return duplicates > 0 ? 'duplicate' : 'refused';
}

function credentialsIn(header: string | undefined): { username: string; password: Buffer } | undefined {
  const packed = /^basic +([a-z0-9+/]+=*)$/i.exec(header ?? '')?.[1];
  if (packed === undefined) return undefined;
  const bytes = Buffer.from(packed, 'base64');
  const colon = bytes.indexOf(0x3a);
  return colon === -1
    ? undefined
    : { username: bytes.subarray(0, colon).toString(), password: bytes.subarray(colon + 1) };
}
