import { Type, type Static } from 'typebox';

/**
 * Live messages over the WebSocket /api/v1/live. The first client message carries the token (never the address);
 * the Origin must be ours. JSON text frames. The server closes with 4401 when the session ends (or no
 * good hello came within 5 s), 4403 for a foreign origin, 4404 for a work area the account may not see.
 */
export const livePath = '/api/v1/live';
export const closeCodes = { sessionEnded: 4401, foreignOrigin: 4403, foreignWorkArea: 4404 } as const;

/** Topics that only say: fetch again. */
export const hintTopics = [
  'home',
  'menus',
  'session',
  'tasks',
  'inbox',
  'commands',
  'plans',
  'publications',
  'nights',
] as const;

/**
 * A topic needs the permission of the calls that show the same data: `lamps` and `command:<id>` need lamp.monitor,
 * `device:<id>` that or device.query, `devices…` device.query. Data outside the caller's work areas, or outside the one
 * in force, is refused or left out. A topic sends at most four messages a second. A reader that is too slow gets
 * `stale` once it has caught up, and fetches again. `since` closes the gap between an answer and the subscription, and
 * between two connections: it is the server's time of the data that the reader has (`at` of the answer, or the last
 * `at` received). `lamps` and `devices…` send what changed since then at once, or `stale` if that is too long ago; all
 * other topics send `stale` if something changed. An open topic may be subscribed to again with the `at` of a new
 * answer. Topics: `lamps` (changed lamps of the work area in force), `device:<id>`, `command:<id>`, `home` (fetch
 * again), `menus` (rights changed: fetch menus again), `session` (it ended), `tasks` (one of the caller's own tasks
 * changed), `inbox` (newcomers changed: fetch again; device.provision), `commands` (some command changed: fetch lists
 * again; lamp.monitor or lamp.approve), `plans` (a scheme or template changed, or who follows which: fetch again;
 * plan.query), `publications` (some publication went on: fetch again; plan.query or lamp.approve), `nights` (a rehearsal or a report went on: fetch again; plan.query). `devices` (changed states of everything in the work area in force) and
 * `devices:<family>` (states and values of a family), either with `@<id>` of a work area, send only what changed of a
 * device.
 */
export const TopicName = Type.String({
  pattern: `^(lamps|${hintTopics.join('|')}|device:\\d{1,15}|command:\\d{1,15}|devices(:[a-z0-9-]{1,40})?(@\\d{1,15})?)$`,
});

export const ClientMessage = Type.Union([
  Type.Object({
    type: Type.Literal('hello'),
    token: Type.String({ maxLength: 200 }),
    workAreaId: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
    language: Type.Optional(Type.String({ maxLength: 20 })),
  }),
  Type.Object({
    type: Type.Literal('subscribe'),
    topics: Type.Array(TopicName, { maxItems: 100 }),
    /** The server's time of the data that the reader has; later changes are sent. */
    since: Type.Optional(Type.String({ maxLength: 40 })),
  }),
  Type.Object({ type: Type.Literal('unsubscribe'), topics: Type.Array(TopicName, { maxItems: 100 }) }),
  Type.Object({ type: Type.Literal('ping') }),
]);

/**
 * One changed lamp: [id, index into lampStates, level 0–100 or -1 unknown, fault or null, online, device time ms or
 * null, power W or null].
 */
export const LampDelta = Type.Tuple([
  Type.Integer(),
  Type.Integer(),
  Type.Number(),
  Type.Union([Type.String(), Type.Null()]),
  Type.Boolean(),
  Type.Union([Type.Integer(), Type.Null()]),
  Type.Union([Type.Number(), Type.Null()]),
]);

const Value = Type.Union([Type.Number(), Type.Boolean(), Type.String(), Type.Null()]);

/** What changed of one device since the last message about it; after a long time the whole device. */
export const DeviceDelta = Type.Object({
  id: Type.Integer(),
  family: Type.String(),
  state: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  online: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  fault: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  /** Only for a topic of a family: device time of the newest reading, its arrival, and the values that changed. */
  at: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  receivedAt: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  values: Type.Optional(Type.Record(Type.String(), Value)),
});

export const ServerMessage = Type.Union([
  Type.Object({ type: Type.Literal('welcome'), at: Type.String() }),
  Type.Object({ type: Type.Literal('refused'), topic: Type.String(), reason: Type.String() }),
  Type.Object({ type: Type.Literal('lamps'), at: Type.String(), lamps: Type.Array(LampDelta) }),
  Type.Object({
    type: Type.Literal('devices'),
    topic: Type.String(),
    at: Type.String(),
    devices: Type.Array(DeviceDelta),
  }),
  /** Devices of the topic were registered, edited or deleted: fetch again. */
  Type.Object({ type: Type.Literal('register'), topic: Type.String() }),
  /** The reader was too slow, or was disconnected: fetch again. */
  Type.Object({ type: Type.Literal('stale'), topic: Type.String() }),
  Type.Object({ type: Type.Literal('device'), id: Type.Integer() }),
  Type.Object({
    type: Type.Literal('command'),
    id: Type.Integer(),
    states: Type.Record(Type.String(), Type.Integer()),
    finished: Type.Boolean(),
    changed: Type.Array(Type.Object({ deviceId: Type.Integer(), state: Type.String() })),
  }),
  Type.Object({ type: Type.Literal('home') }),
  Type.Object({ type: Type.Literal('menus') }),
  Type.Object({ type: Type.Literal('inbox') }),
  Type.Object({ type: Type.Literal('commands') }),
  Type.Object({ type: Type.Literal('plans') }),
  Type.Object({ type: Type.Literal('publications') }),
  Type.Object({ type: Type.Literal('nights') }),
  Type.Object({ type: Type.Literal('task'), id: Type.Integer() }),
  Type.Object({ type: Type.Literal('session'), event: Type.Literal('ended') }),
  /**
   * `at`: earlier changes were sent, or are sent to the next subscription that names it. Absent: changes still wait to
   * be sent.
   */
  Type.Object({ type: Type.Literal('pong'), at: Type.Optional(Type.String()) }),
]);

export type ClientMessage = Static<typeof ClientMessage>;
export type ServerMessage = Static<typeof ServerMessage>;
export type DeviceDelta = Static<typeof DeviceDelta>;
export type LampDelta = Static<typeof LampDelta>;
