import type { ReplyOf } from '../../../../contract/route.ts';
import type { createCredentials } from '../../../../contract/register/devices.ts';

/** New credentials of a device, in clear: kept by the page alone. */
export interface Issued {
  readonly deviceId: number;
  readonly credentials: ReplyOf<typeof createCredentials>;
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

interface Server {
  readonly host: string;
  readonly protocol: string;
}
/** Where the broker is, as an address of MQTT clients. */
const brokerUrl = ({ host, protocol }: Server): string => `${protocol === 'secure-mqtt' ? 'mqtts' : 'mqtt'}://${host}`;

/** The line that lets the simulator play this device, in a checkout of the program. */
export const playDevice = (
  server: Server,
  family: string,
  { username, password }: { username: string; password: string },
): string =>
  `npm run device -- --broker ${quoted(brokerUrl(server))} --family ${family} --user ${quoted(username)} --password ${quoted(password)}`;

/** The line that lets the simulator come as an unknown device of a batch. */
export const playNewcomer = (
  server: Server,
  { username, password }: { username: string; password: string },
  serial: string,
): string =>
  `npm run device -- --broker ${quoted(brokerUrl(server))} --user ${quoted(username)} --password ${quoted(password)} --serial ${quoted(serial)}`;

/** The line that lets one come with mosquitto_pub: it says hello and waits in the inbox. */
export function helloCommand(
  { host, protocol }: Server,
  batchId: number,
  { username, password }: { username: string; password: string },
  serial: string,
  hello: string,
): string {
  const address = new URL(`mqtt://${host}`);
  const secure = protocol === 'secure-mqtt';
  return [
    `mosquitto_pub -h ${quoted(address.hostname.replaceAll(/[[\]]/g, ''))} -p ${address.port || (secure ? '8883' : '1883')}`,
    ...(secure ? ['--tls-use-os-certs'] : []),
    `-i ${quoted(serial)} -u ${quoted(username)} -P ${quoted(password)} -q 1`,
    `-t ${quoted(`lampyris/v1/batches/${batchId}/${serial}/hello`)} -m ${quoted(hello)}`,
  ].join(' ');
}
