import {
  mostSettingsBytes,
  type CommandOut,
  type Outgoing,
  type SettingsOut,
  type Speaker,
  type Unsupported,
} from '../wire.ts';
import { encode, timeText } from './codec.ts';
import type { SettingsMessage } from './messages.ts';
import { topicOf } from './topics.ts';

/** The message that carries a command to its device, directly or through its controller. */
export function commandOut(command: CommandOut): Outgoing {
  const { commandId, deviceId, viaId, clockOffsetMs, turn } = command;
  const byDevice = (at: number) => timeText(at - clockOffsetMs);
  return {
    topic: topicOf({ kind: 'commands', deviceId, viaId }),
    payload: encode({
      commandId: String(commandId),
      command: command.command,
      args: command.args,
      issuedAt: byDevice(command.issuedAt),
      expiresAt: byDevice(command.expiresAt),
      until: command.until === null ? null : byDevice(command.until),
      turn,
    }),
    retain: false,
  };
}

/** The retained settings of a device; `null` takes them away. */
export function settingsOut(address: Speaker, settings: SettingsMessage | null): Outgoing {
  return {
    topic: topicOf({ kind: 'settings', ...address }),
    payload: settings === null ? Buffer.alloc(0) : encode(settings),
    retain: true,
  };
}

const messageOf = (settings: SettingsOut): SettingsMessage => ({
  ...settings,
  serverTime: timeText(settings.serverTime),
});

/** The bytes of a settings message; one of more than `mostSettingsBytes` is not sent. */
export const settingsBytes = (settings: SettingsOut): number => encode(messageOf(settings)).byteLength;

const settingsPayloads = new WeakMap<SettingsOut, Buffer>();

/** Devices that are set to the same object get the same bytes: a broker keeps them once. */
function payloadOf(settings: SettingsOut): Buffer {
  const payload = settingsPayloads.get(settings) ?? encode(messageOf(settings));
  settingsPayloads.set(settings, payload);
  return payload;
}

/** The same message from the server's words, or why it is not sent. */
export function settingsOrRefusal(address: Speaker, settings: SettingsOut | null): Outgoing | Unsupported {
  if (settings === null) return settingsOut(address, null);
  const payload = payloadOf(settings);
  return payload.byteLength > mostSettingsBytes
    ? { unsupported: `the settings have ${payload.byteLength} bytes, at most ${mostSettingsBytes} are sent` }
    : { topic: topicOf({ kind: 'settings', ...address }), payload, retain: true };
}
