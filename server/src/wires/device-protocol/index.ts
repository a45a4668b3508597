import { readFileSync } from 'node:fs';
import { openToAll } from '../../../../contract/route.ts';
import { getDeviceProtocol } from '../../../../contract/wires/device-protocol.ts';
import type { BrokerAddress } from '../../../../protocols/wire.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import { describeProtocol } from '../link/index.ts';

const { version } = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export interface DeviceProtocolParts {
  /** In the demonstration the document is public, otherwise for signed-in accounts. */
  readonly demo: boolean;
  /** Where devices find the broker; `host` null: at the name by which the reader found us. */
  readonly broker: Omit<BrokerAddress, 'host'> & { readonly host: string | null };
}

/**
 * The description of the device protocol at /api/asyncapi.json, with the address under which the reader reaches the
 * broker.
 */
export function deviceProtocolRoutes({ demo, broker }: DeviceProtocolParts): Binding[] {
  const shape = demo ? openToAll(getDeviceProtocol) : getDeviceProtocol;
  return [
    bind(shape, (_input, { headers }) =>
      describeProtocol(version, { ...broker, host: broker.host ?? hostOf(headers.host) }),
    ),
  ];
}

/** The name without the port; an IPv6 address keeps its brackets. */
const hostOf = (host: string | undefined): string =>
  /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d+)?$/i.exec(host ?? '')?.[1] ?? '127.0.0.1';
