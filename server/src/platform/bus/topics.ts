/**
 * Messages between parts of the program, in this process and in others. Payloads are small: a subscriber that needs more
 * reads the database.
 */
export interface Topics {
  /** Readings, state or link of these devices changed. */
  'devices.changed': { readonly ids: readonly number[] };
  /** Devices were registered, edited or deleted: rows and places of lists and maps may differ. */
  'register.changed': Record<string, never>;
  /** These devices got new credentials or none any more: sessions made with the old ones end. */
  'credentials.changed': { readonly ids: readonly number[] };
  /** These lamps or controllers were judged: lists and maps may show them differently. */
  'lamps.judged': { readonly ids: readonly number[] };
  'commands.changed': { readonly commandId: number; readonly deviceIds: readonly number[] };
  /** A scheme or template changed, or who follows which. */
  'plans.changed': Record<string, never>;
  /** These lamps follow another plan from some lighting day on. */
  'plans.assigned': { readonly ids: readonly number[] };
  /** A publication went on: its phase, or what became of its lamps. */
  'publications.changed': Record<string, never>;
  /** A rehearsal or the report of a night went on. */
  'nights.changed': Record<string, never>;
  'session.ended': { readonly sessionIds: readonly number[] };
  /** Roles, menus, work areas or levels of accounts changed. */
  'rights.changed': Record<string, never>;
  /** A task of this account was begun, goes on or ended. */
  'tasks.changed': { readonly accountId: number | null; readonly taskId: number };
  /** Newcomers came, sent something, or were claimed. */
  'newcomers.changed': Record<string, never>;
  'newcomer.claimed': { readonly batchId: number; readonly serial: string; readonly deviceId: number };
  /** The connection with this serial under this account must end. */
  'newcomer.blocked': { readonly username: string; readonly serial: string };
  /** A batch was disabled, deleted or given another secret: its connections end. */
  'batch.closed': { readonly username: string };
  /** An operator watches how this device connects: events of its line are recorded for a while. */
  'link.watched': { readonly deviceId: number };
  /** A device is connected to this process now, by a line of its own. */
  'line.taken': { readonly deviceId: number; readonly process: string };
  /** What a device with a line of its own is to do by itself is another. */
  'line.set': { readonly deviceId: number };
  /** These devices say that they run another plan than before, or can something else. */
  'plans.reported': { readonly ids: readonly number[] };
  /** These devices came online, or took over other settings, and say which they have. */
  'settings.reported': { readonly ids: readonly number[] };
  'settings.changed': { readonly workAreaId: number | null };
  /** The line between the processes was broken and messages may be missing. A subscriber that caches reloads on this topic. */
  'bus.resumed': Record<string, never>;
}

export type Topic = keyof Topics;
