import type { CommandOut, Outgoing, SettingsOut, Speaker, Unsupported } from '../../../../protocols/wire.ts';
import { noLimits, PacketTooLarge, type Broker, type BrokerAccount } from '../../platform/mqtt/index.ts';
import type { IssuedCredentials } from '../../register/devices/index.ts';
import { processName } from '../../platform/leases/index.ts';
import { brokerWire } from './broker-wire.ts';
import type { Lines, NotSent } from './lines.ts';

/** The way to the devices. */
export interface DeviceLink {
  /** What this process calls itself: commands for devices with a line are claimed by the process that has it. */
  readonly process: string;
  /** null: usable; else one line that says why not. */
  problem(): string | null;
  /** What the broker keeps and takes. */
  limits(): ReturnType<Broker['limits']>;
  /**
   * Resolves when the command is on its way, or says why this one was not sent; rejects while nothing can be sent.
   */
  send(command: CommandOut): Promise<NotSent | undefined>;
  /** The settings of a device, kept for when it comes; `null` takes them away. */
  set(speaker: Speaker, settings: SettingsOut | null): Promise<Unsupported | undefined>;
}

/** The way to devices behind a broker, and to those with a line each. */
export function linkBy(
  broker: Pick<Broker, 'publish' | 'problem'> & Partial<Pick<Broker, 'limits'>>,
  { lines, process = processName }: { readonly lines?: Lines; readonly process?: string } = {},
): DeviceLink {
  async function publish(out: Outgoing | Unsupported, expirySeconds?: number): Promise<Unsupported | undefined> {
    if ('unsupported' in out) return out;
    const { topic, payload, retain } = out;
    try {
      await broker.publish(topic, payload, {
        ...(retain ? { retain } : {}),
        ...(expirySeconds === undefined ? {} : { expirySeconds }),
      });
    } catch (thrown) {
      if (!(thrown instanceof PacketTooLarge)) throw thrown;
      return { unsupported: thrown.message };
    }
    return undefined;
  }
  return {
    process,
    problem: () => broker.problem(),
    limits: () => broker.limits?.() ?? noLimits,
    send: (command) =>
      lines?.has(command.viaId ?? command.deviceId)
        ? lines.send(command)
        : publish(brokerWire.say(command), (command.expiresAt - command.issuedAt) / 1000),
    async set(speaker, settings) {
      await lines?.known();
      return lines?.has(speaker.deviceId)
        ? await lines.set(speaker.deviceId, settings)
        : await publish(brokerWire.set(speaker, settings));
    },
  };
}

/** Makes issued credentials known to the broker, with the rights that follow from each device's identity. */
export const provisionOn =
  (broker: Pick<Broker, 'grant'>) =>
  (issued: readonly IssuedCredentials[]): Promise<void> =>
    broker.grant(
      issued.map(({ deviceId, clientId, username, password }): BrokerAccount => ({
        clientId,
        username,
        password,
        rights: brokerWire.rightsOf(deviceId),
      })),
    );
