/**
 * What parts of the program tell each other, in this process and in others. Payloads are small: who needs more reads
 * the database.
 */
export interface Topics {
  /** Readings, state or link of these devices changed. */
  'devices.changed': { readonly ids: readonly number[] };
  /** Devices were registered, changed by somebody, or taken away: lists and maps may have others, elsewhere. */
  'register.changed': Record<string, never>;
  /** These devices got new credentials or none any more: sessions made with the old ones end. */
  'credentials.changed': { readonly ids: readonly number[] };
  /** These lamps or controllers were judged anew from their readings: what lists and maps show of them may differ. */
  'lamps.judged': { readonly ids: readonly number[] };
  'commands.changed': { readonly commandId: number; readonly deviceIds: readonly number[] };
  'session.ended': { readonly sessionIds: readonly number[] };
  /** Roles, menus, work areas or levels of accounts changed. */
  'rights.changed': Record<string, never>;
  /** A task of this account was begun, goes on or ended. */
  'tasks.changed': { readonly accountId: number | null; readonly taskId: number };
  /** Devices that nobody knows yet came, said something, or were claimed. */
  'newcomers.changed': Record<string, never>;
  'newcomer.claimed': { readonly batchId: number; readonly serial: string; readonly deviceId: number };
  /** What is connected with this serial under this account has to go. */
  'newcomer.blocked': { readonly username: string; readonly serial: string };
  /** A batch was disabled, deleted or given another secret: its connections end. */
  'batch.closed': { readonly username: string };
  /** Somebody looks at how this device connects: what happens on its line is written down for a while. */
  'link.watched': { readonly deviceId: number };
  /** A device is connected to this process now, by a line of its own. */
  'line.taken': { readonly deviceId: number; readonly process: string };
  /** What a device with a line of its own is to do by itself is another. */
  'line.set': { readonly deviceId: number };
  'settings.changed': { readonly workAreaId: number | null };
  /**
   * The line between the processes was broken: what was told meanwhile may be missing here. Whoever keeps something by
   * the bus looks anew.
   */
  'bus.resumed': Record<string, never>;
}

export type Topic = keyof Topics;
