/** The addresses of the protocol: one place that knows how a topic is spelt and who may use it. */

export const topicPrefix = 'lampyris/v1/devices';

const upKinds = ['readings', 'status', 'acks'] as const;
export type UpKind = (typeof upKinds)[number];
export type DownKind = 'commands' | 'settings';

/** Whose message it is: the device itself, or a lamp behind the central controller `viaId`. */
export interface TopicAddress<K extends string = UpKind | DownKind> {
  readonly kind: K;
  readonly deviceId: number;
  /** The controller that speaks for the device; null: it speaks for itself. */
  readonly viaId: number | null;
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

/** Topic filters in MQTT notation (`+` is one level). A subscription is allowed when one of them covers it. */
export interface TopicRights {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
  /** Why something beyond these is refused, where more can be said than that it is somebody else's. */
  readonly reasonFor?: (topic: string) => string | undefined;
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

/** Of these the ones that have to be taken in the order they were sent: who comes and goes carries no time. */
export const orderedUpFilters: readonly string[] = [`${topicPrefix}/+/status`];

/** User name and client id of a device's credentials: always the same text. */
export const clientIdOf = (deviceId: number): string => `lampyris-${deviceId}`;

/** The device whose credentials carry this name; undefined: it is nobody's. */
export function idOfClient(name: string): number | undefined {
  const id = /^lampyris-([1-9]\d{0,14})$/.exec(name)?.[1];
  return id === undefined ? undefined : Number(id);
}
