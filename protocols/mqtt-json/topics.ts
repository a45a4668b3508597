import { accountOf, type Speaker, type TopicRights } from '../wire.ts';

/** Topics of the protocol: how they are spelt, and which device may use them. */

export const topicPrefix = 'lampyris/v1/devices';

const upKinds = ['readings', 'status', 'acks'] as const;
export type UpKind = (typeof upKinds)[number];
export type DownKind = 'commands' | 'settings';

/** Whose message it is: the device itself, or a lamp behind the central controller `viaId`. */
export interface TopicAddress<K extends string = UpKind | DownKind> extends Speaker {
  readonly kind: K;
}

const pattern = new RegExp(
  `^${topicPrefix}/([1-9]\\d{0,14})/(?:children/([1-9]\\d{0,14})/)?(readings|status|acks|commands|settings)$`,
);

/** The topic of a message, e.g. `lampyris/v1/devices/7/children/12/commands`. */
export function topicOf({ kind, deviceId, viaId }: TopicAddress): string {
  return viaId === null ? `${topicPrefix}/${deviceId}/${kind}` : `${topicPrefix}/${viaId}/children/${deviceId}/${kind}`;
}

/**
 * Reads a topic; undefined for one that is not of this protocol (a lamp behind a controller has no status of its own).
 */
export function readTopic(topic: string): TopicAddress | undefined {
  const match = pattern.exec(topic);
  if (!match) return undefined;
  const [, first, child, kind] = match;
  if (child === undefined) return { kind: kind as UpKind, deviceId: Number(first), viaId: null };
  return kind === 'status' ? undefined : { kind: kind as UpKind, deviceId: Number(child), viaId: Number(first) };
}

/**
 * What a device may do: only below its own id, and only a controller for children. Whether a child is really registered
 * under it is checked when a message arrives.
 */
export function deviceRights(deviceId: number, hasChildren = true): TopicRights {
  const own = `${topicPrefix}/${deviceId}`;
  const below = `${own}/children/`;
  return {
    publish: [
      `${own}/readings`,
      `${own}/status`,
      `${own}/acks`,
      ...(hasChildren ? [`${below}+/readings`, `${below}+/acks`] : []),
    ],
    subscribe: [
      `${own}/commands`,
      `${own}/settings`,
      ...(hasChildren ? [`${below}+/commands`, `${below}+/settings`] : []),
    ],
    reasonFor: (topic) => (topic.startsWith(below) && !hasChildren ? 'foreignChild' : undefined),
  };
}

/** Everything devices say, for the server's own subscription. */
export const upFilters: readonly string[] = [
  ...upKinds.map((kind) => `${topicPrefix}/+/${kind}`),
  `${topicPrefix}/+/children/+/readings`,
  `${topicPrefix}/+/children/+/acks`,
];

/** The filters whose messages are taken in the order in which they were sent: status messages carry no time. */
export const orderedUpFilters: readonly string[] = [`${topicPrefix}/+/status`];

/** User name and client id of a device in this protocol are its account. */
export { accountOf as clientIdOf };
