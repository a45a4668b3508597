import { Type } from 'typebox';
import { Id, IdParams, Nullable, Timestamp, listOf, route } from '../route.ts';

/** Commands and what became of them, per device. */

export const commandStates = ['queued', 'sent', 'acknowledged', 'confirmed', 'failed', 'timedOut', 'expired', 'superseded'] as const;
export const CommandState = Type.Enum(commandStates);

export const CommandItem = Type.Object({
  deviceId: Type.Integer(), code: Type.String(), name: Nullable(Type.String()), state: CommandState,
  queuedAt: Timestamp, sentAt: Nullable(Timestamp), acknowledgedAt: Nullable(Timestamp), endedAt: Nullable(Timestamp),
  until: Nullable(Timestamp),
  /** What the device or the clock said against it: a text key or the device's own words. */
  error: Nullable(Type.String()),
  /** The reading that proved (or, when timed out, contradicted) it. */
  proof: Nullable(Type.Object({ at: Timestamp, level: Nullable(Type.Number()), power: Nullable(Type.Number()), relay: Nullable(Type.Boolean()) })),
});

export const CommandSummary = Type.Object({
  id: Type.Integer(), command: Type.String(), args: Type.Record(Type.String(), Type.Unknown()),
  until: Nullable(Timestamp), reason: Nullable(Type.String()), actorName: Type.String(), createdAt: Timestamp,
  total: Type.Integer(), states: Type.Record(Type.String(), Type.Integer()), finished: Type.Boolean(),
  /** Seconds within which acknowledgement and confirmation must come. */
  limits: Type.Object({ acknowledgeSeconds: Type.Integer(), confirmSeconds: Type.Integer() }),
});

export const createCommand = route({
  method: 'POST', path: '/api/v1/commands', tag: 'commands', access: 'lamp.control', areaScoped: true, status: 201,
  summary: 'Sends a command to devices, or to all lamps of a road or group. Answers at once; follow its state by id or live.',
  body: Type.Object({
    deviceIds: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 20_000 })),
    scope: Type.Optional(Type.Object({ roadId: Type.Optional(Id), groupId: Type.Optional(Id), controllerId: Type.Optional(Id) }, { additionalProperties: false, minProperties: 1 })),
    command: Type.String({ minLength: 1, maxLength: 40 }),
    args: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    /** When the manual state ends; default: each lamp's next dusk or dawn switch; at most 24 h away. */
    until: Type.Optional(Nullable(Timestamp)),
    reason: Type.Optional(Nullable(Type.String({ maxLength: 200 }))),
  }),
  reply: Type.Object({ id: Type.Integer(), total: Type.Integer() }),
});

export const listCommands = route({
  method: 'GET', path: '/api/v1/commands', tag: 'commands', access: 'lamp.monitor', areaScoped: true,
  summary: 'Commands, newest first; of one device with `deviceId`.',
  query: Type.Object({ deviceId: Type.Optional(Id), page: Type.Optional(Type.Integer({ minimum: 0 })), size: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })) }),
  reply: listOf(Type.Interface([CommandSummary], { item: Type.Optional(CommandItem) })),
});

export const getCommand = route({
  method: 'GET', path: '/api/v1/commands/:id', tag: 'commands', access: 'lamp.monitor', areaScoped: true,
  summary: 'One command: funnel and state per device, failures first.',
  params: IdParams,
  query: Type.Object({ page: Type.Optional(Type.Integer({ minimum: 0 })), size: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })) }),
  reply: Type.Interface([CommandSummary], { items: Type.Array(CommandItem), recordsTotal: Type.Integer() }),
});

export const retryCommand = route({
  method: 'POST', path: '/api/v1/commands/:id/retry', tag: 'commands', access: 'lamp.control', areaScoped: true, status: 201,
  summary: 'A new command to only those devices of the old one that failed, timed out or expired.',
  params: IdParams,
  reply: Type.Object({ id: Type.Integer(), total: Type.Integer() }),
});
