import { encode, timeText } from './codec.ts';
import type { SettingsMessage } from './messages.ts';
import { topicOf } from './topics.ts';

/** Something to publish at QoS 1. */
export interface Outgoing {
  readonly topic: string;
  readonly payload: Buffer;
  readonly retain: boolean;
}

/** A command on its way to one device. Times are epoch milliseconds by the server clock. */
export interface CommandOut {
  readonly commandId: number;
  readonly deviceId: number;
  readonly viaId: number | null;
  readonly command: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly until: number | null;
  /** Grows with every message to anybody. */
  readonly turn: number;
  /**
   * Server minus device clock, milliseconds: the device compares these times with its own clock, so they are told in
   * it.
   */
  readonly clockOffsetMs: number;
}

/** The message that carries a command to its device, directly or through its controller. */
export function commandOut(command: CommandOut): Outgoing {
  const { commandId, deviceId, viaId, clockOffsetMs, turn } = command;
  const told = (at: number) => timeText(at - clockOffsetMs);
  return {
    topic: topicOf({ kind: 'commands', deviceId, viaId }),
    payload: encode({
      commandId: String(commandId),
      command: command.command,
      args: command.args,
      issuedAt: told(command.issuedAt),
      expiresAt: told(command.expiresAt),
      until: command.until === null ? null : told(command.until),
      turn,
    }),
    retain: false,
  };
}

/** The retained settings of a device; `null` takes them away. */
export function settingsOut(
  address: { readonly deviceId: number; readonly viaId: number | null },
  settings: SettingsMessage | null,
): Outgoing {
  return {
    topic: topicOf({ kind: 'settings', ...address }),
    payload: settings === null ? Buffer.alloc(0) : encode(settings),
    retain: true,
  };
}
