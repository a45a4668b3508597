import { familyOf } from '../../../../catalogue/families/index.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import type { createCredentials } from '../../../../contract/register/devices.ts';

interface Server {
  readonly host: string;
  readonly protocol: string;
}
const isServer = (value: unknown): value is Server =>
  typeof value === 'object' &&
  value !== null &&
  'host' in value &&
  typeof value.host === 'string' &&
  'protocol' in value &&
  typeof value.protocol === 'string';

/** The broker of an AsyncAPI document: its unencrypted address where there is one. */
export function brokerOf(document: Readonly<Record<string, unknown>>): Server | undefined {
  const servers: unknown = document['servers'];
  return typeof servers === 'object' && servers !== null
    ? Object.values(servers)
        .filter(isServer)
        .toSorted((a, b) => a.protocol.localeCompare(b.protocol))[0]
    : undefined;
}

/** A first message as the family would send it, with its example values; null: the family sends none. */
export function exampleMessage(family: string, at: string): string | null {
  const values = familyOf(family)?.exampleReading ?? null;
  return values === null ? null : JSON.stringify({ sentAt: at, readings: [{ at, values }] });
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The line that sends it with mosquitto_pub, for a POSIX shell. */
export function publishCommand(
  broker: Server,
  deviceId: number,
  { clientId, username, password }: ReplyOf<typeof createCredentials>,
  message: string,
): string {
  const address = new URL(`mqtt://${broker.host}`);
  const host = address.hostname.replaceAll(/[[\]]/g, '');
  const secure = broker.protocol === 'secure-mqtt';
  return [
    `mosquitto_pub -h ${quoted(host)} -p ${address.port || (secure ? '8883' : '1883')}`,
    ...(secure ? ['--tls-use-os-certs'] : []),
    `-i ${quoted(clientId)} -u ${quoted(username)} -P ${quoted(password)} -q 1`,
    `-t ${quoted(`lampyris/v1/devices/${deviceId}/readings`)} -m ${quoted(message)}`,
  ].join(' ');
}
