import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { checkedMessage, decodedReadings, parseMessage, Refused } from './codec.ts';
import { ReadingsMessage } from './messages.ts';
import {
  accountOfBatch,
  batchOfAccount,
  type Newcomer,
  type NewcomerHeard,
  type NewcomerPlace,
  type Outgoing,
  type TopicRights,
} from '../wire.ts';

/**
 * How an unregistered device of a batch announces itself. It signs in with the user name and password of the batch and
 * its own serial as client id. It may say hello and report; after the claim it receives its own user name. The device
 * chose its password itself: no secret travels down, so another device of the batch cannot catch one.
 */
const prefix = 'lampyris/v1/batches';

/** Letters, digits, dot, dash, underscore, colon; never what a known device's client id looks like. */
const serialPattern = '^(?!(?:[lL][aA][mM][pP][yY][rR][iI][sS]-))[A-Za-z0-9][A-Za-z0-9._:-]{0,47}$';
const serial = new RegExp(serialPattern);
const pattern = new RegExp(`^${prefix}/([1-9]\\d{0,14})/([^/+#]{1,48})/(hello|readings|provision)$`);

export const newcomerLimits = { helloBytes: 2048, readingsBytes: 16_384 } as const;

export const HelloMessage = Type.Object({
  secret: Type.String({
    pattern: '^[A-Za-z0-9_-]{32,128}$',
    description:
      'The password this device will use as itself: chosen once by the device from a good random source (32 random bytes as base64url, say), kept over power cuts, never used by another device.',
  }),
  family: Type.Optional(Type.String({ maxLength: 40, description: 'The key of its family.' })),
  model: Type.Optional(Type.String({ maxLength: 100 })),
  firmware: Type.Optional(Type.String({ maxLength: 100 })),
  name: Type.Optional(Type.String({ maxLength: 100, description: 'What it is called on site, if it knows.' })),
  longitude: Type.Optional(
    Type.Number({ minimum: -180, maximum: 180, description: 'Degrees, WGS-84, of its own receiver.' }),
  ),
  latitude: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
});

export const ProvisionMessage = Type.Object({
  clientId: Type.String({ description: 'To be used from now on, together with the secret of the hello as password.' }),
  username: Type.String(),
  deviceId: Type.String({ description: 'The id in its own topics.' }),
});
export type ProvisionMessage = Static<typeof ProvisionMessage>;

const checkHello = Compile(HelloMessage);
const checkProvision = Compile(ProvisionMessage);
const checkReadings = Compile(ReadingsMessage);

export const isSerial = (text: string): boolean => serial.test(text);
export const newcomerTopic = ({ batchId, serial: own, kind }: NewcomerPlace): string =>
  `${prefix}/${batchId}/${own}/${kind}`;

/** Reads a topic of a batch; undefined for any other. */
export function readNewcomerTopic(topic: string): NewcomerPlace | undefined {
  const [, batchId, own = '', kind] = pattern.exec(topic) ?? [];
  return batchId === undefined || !isSerial(own)
    ? undefined
    : { batchId: Number(batchId), serial: own, kind: kind as NewcomerPlace['kind'] };
}

/** What one member of a batch may do; `null`: any member, for brokers that cannot bind a right to the client id. */
export function newcomerRights(batchId: number, own: string | null): TopicRights {
  const base = `${prefix}/${batchId}/${own ?? '+'}`;
  return { publish: [`${base}/hello`, `${base}/readings`], subscribe: [`${base}/provision`] };
}

/** Everything newcomers say, for the server's own subscription. */
export const newcomerFilters: readonly string[] = [`${prefix}/+/+/hello`, `${prefix}/+/+/readings`];

export { accountOfBatch as batchUsername, batchOfAccount as batchOfUsername };

/** Topic and bytes of a newcomer become a message, or a refusal with its reason. Pure; never throws. */
export function decodeNewcomer({ kind }: NewcomerPlace, payload: Uint8Array): NewcomerHeard {
  try {
    if (kind === 'provision') throw new Refused('topic', 'only the server publishes here');
    const most = kind === 'hello' ? newcomerLimits.helloBytes : newcomerLimits.readingsBytes;
    if (payload.byteLength > most) throw new Refused('tooLarge', `${payload.byteLength} > ${most} bytes`);
    const json = parseMessage(payload);
    if (kind === 'hello') return { ok: true, message: { kind, hello: checkedMessage(checkHello, json) } };
    return { ok: true, message: { kind, readings: decodedReadings(checkedMessage(checkReadings, json)) } };
  } catch (thrown) {
    if (thrown instanceof Refused) return { ok: false, reason: thrown.reason, detail: thrown.message };
    throw thrown;
  }
}

/** The message to a claimed device: its identity from now on. */
export function provisionOut(to: Newcomer, message: ProvisionMessage): Outgoing {
  return {
    topic: newcomerTopic({ ...to, kind: 'provision' }),
    payload: Buffer.from(JSON.stringify(message)),
    retain: false,
  };
}

/** The same at the device's end; undefined for anything that is not one. */
export function readProvision(payload: Uint8Array): ProvisionMessage | undefined {
  try {
    const json = parseMessage(payload);
    return checkProvision.Check(json) ? json : undefined;
  } catch {
    return undefined;
  }
}
