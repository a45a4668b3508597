import { Type, type Static } from 'typebox';

/**
 * Live messages over the WebSocket /api/v1/live. The first client message carries the token (never the address);
 * the Origin must be ours. JSON text frames. The server closes with 4401 when the session ends (or no
 * good hello came within 5 s), 4403 for a foreign origin, 4404 for a work area the account may not see.
 */
export const livePath = '/api/v1/live';
export const closeCodes = { sessionEnded: 4401, foreignOrigin: 4403, foreignWorkArea: 4404 } as const;

/**
 * Topics need the permission of the calls that show the same: `lamps`, `device:<id>` and `command:<id>` lamp.monitor. What lies
 * outside the caller's work areas, or the one it works in, is refused or left out. After a reconnection fetch again: nothing is repeated.
 * Topics: `lamps` (changed lamps of the work area in force), `device:<id>`, `command:<id>`, `home` (refetch hint),
 * `menus` (rights changed: fetch menus again), `session` (who else, ended), `tasks` (one of the caller's own tasks changed),
 * `inbox` (newcomers changed: fetch again; device.provision).
 */
export const TopicName = Type.String({ pattern: '^(lamps|home|menus|session|tasks|inbox|device:\\d{1,15}|command:\\d{1,15})$' });

export const ClientMessage = Type.Union([
  Type.Object({ type: Type.Literal('hello'), token: Type.String({ maxLength: 200 }), workAreaId: Type.Optional(Type.Union([Type.Integer(), Type.Null()])), language: Type.Optional(Type.String({ maxLength: 20 })) }),
  Type.Object({ type: Type.Literal('subscribe'), topics: Type.Array(TopicName, { maxItems: 100 }) }),
  Type.Object({ type: Type.Literal('unsubscribe'), topics: Type.Array(TopicName, { maxItems: 100 }) }),
  Type.Object({ type: Type.Literal('ping') }),
]);

/** One changed lamp: [id, index into lampStates, level 0–100 or -1 unknown, fault or null, online, device time ms or null, power W or null]. */
export const LampDelta = Type.Tuple([
  Type.Integer(), Type.Integer(), Type.Number(), Type.Union([Type.String(), Type.Null()]), Type.Boolean(),
  Type.Union([Type.Integer(), Type.Null()]), Type.Union([Type.Number(), Type.Null()]),
]);

export const ServerMessage = Type.Union([
  Type.Object({ type: Type.Literal('welcome'), at: Type.String() }),
  Type.Object({ type: Type.Literal('refused'), topic: Type.String(), reason: Type.String() }),
  Type.Object({ type: Type.Literal('lamps'), at: Type.String(), lamps: Type.Array(LampDelta) }),
  /** The reader was too slow or was away: fetch again. */
  Type.Object({ type: Type.Literal('stale'), topic: Type.String() }),
  Type.Object({ type: Type.Literal('device'), id: Type.Integer() }),
  Type.Object({ type: Type.Literal('command'), id: Type.Integer(), states: Type.Record(Type.String(), Type.Integer()), finished: Type.Boolean(),
    changed: Type.Array(Type.Object({ deviceId: Type.Integer(), state: Type.String() })) }),
  Type.Object({ type: Type.Literal('home') }),
  Type.Object({ type: Type.Literal('menus') }),
  Type.Object({ type: Type.Literal('inbox') }),
  Type.Object({ type: Type.Literal('task'), id: Type.Integer() }),
  Type.Object({ type: Type.Literal('session'), event: Type.Literal('ended') }),
  Type.Object({ type: Type.Literal('pong') }),
]);

export type ClientMessage = Static<typeof ClientMessage>;
export type ServerMessage = Static<typeof ServerMessage>;
export type LampDelta = Static<typeof LampDelta>;
