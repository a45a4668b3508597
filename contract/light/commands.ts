import { Type } from 'typebox';
import { Id, IdParams, Nullable, Page, Size, Timestamp, byBody, listOf, route } from '../route.ts';

/** Commands, and their result per device. */

/**
 * The states of one device's part of a command: `waiting` (held back: approval, canary, halted), `queued`, `sent`,
 * `acknowledged`; then, once, `confirmed` by a reading, `failed`, `timedOut`, `expired`, `superseded` or `cancelled`.
 */
export const commandStates = [
  'waiting',
  'queued',
  'sent',
  'acknowledged',
  'confirmed',
  'failed',
  'timedOut',
  'expired',
  'superseded',
  'cancelled',
] as const;
export const CommandState = Type.Enum(commandStates);
/** States that can be retried; `cancelled` only if the caller names it. */
export const retryStates = ['failed', 'timedOut', 'expired', 'cancelled'] as const;

/**
 * Strongest first: a stronger lane is sent first, and a weaker command never replaces a stronger one that is in force.
 */
export const commandLanes = ['emergency', 'manual', 'plan', 'read', 'firmware'] as const;
export const CommandLane = Type.Enum(commandLanes);

/**
 * The state of a whole command. `awaitingApproval`: nothing is sent before a second person agrees. `halted`: its canary
 * or its failure rate stopped it; a person resumes or cancels it. `refused`, `lapsed`: the second person refused, or
 * nobody decided in time.
 */
export const taskStates = [
  'awaitingApproval',
  'running',
  'halted',
  'finished',
  'cancelled',
  'refused',
  'lapsed',
] as const;
export const TaskState = Type.Enum(taskStates);

/**
 * The result of an approval. `expired`: nobody decided in time. `withdrawn`: the command was cancelled before a
 * decision.
 */
export const approvalOutcomes = ['pending', 'agreed', 'refused', 'expired', 'withdrawn'] as const;

/** Bounds of what a caller may choose for one command. */
export const commandBounds = {
  /** Devices in one call by id, and devices in a scope. */
  devices: 20_000,
  scope: 100_000,
  /** Seconds from now to `expiresAt`. */
  shortestExpiry: 10,
  longestExpiry: 86_400,
  /** Longest duration of an emergency, seconds. */
  emergency: 4 * 3600,
  canary: { count: 1000, share: 50, waitSeconds: 3600 },
  reason: 200,
} as const;

const Percent = Type.Number({ minimum: 0, maximum: 100 });
const Reason = Type.String({ minLength: 1, maxLength: commandBounds.reason, pattern: '\\S' });
const RequestId = Type.String({
  format: 'uuid',
  maxLength: 36,
  description:
    'Chosen by the caller. The same request sent again is answered with the command it created; nothing is sent twice.',
});

const ConfirmCount = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description:
    'Instead of a second person, where no other account could approve: the number of lamps that the refusal `countNeeded` contains.',
});

const Proof = {
  at: Timestamp,
  level: Nullable(Type.Number()),
  power: Nullable(Type.Number()),
  relay: Nullable(Type.Boolean()),
} as const;
/** What a later reading showed of an item that had ended without proof. The state of the item stays. */
export const Verification = Type.Object({
  commandId: Type.Integer(),
  outcome: Type.Enum(['confirmed', 'contradicted']),
  ...Proof,
});

/** Reasons that the server writes in `error`; any other text there comes from the device. */
export const itemErrors = [
  'notSent',
  'noAnswer',
  'notConfirmed',
  'expired',
  'refused',
  'disabled',
  'strongerInForce',
  'approvalExpired',
  'approvalRefused',
] as const;

export const CommandItem = Type.Object({
  deviceId: Type.Integer(),
  code: Type.String(),
  name: Nullable(Type.String()),
  family: Type.String(),
  state: CommandState,
  queuedAt: Timestamp,
  sentAt: Nullable(Timestamp),
  acknowledgedAt: Nullable(Timestamp),
  endedAt: Nullable(Timestamp),
  until: Nullable(Timestamp),
  /** How often it was sent: a device that does not answer gets it again under the same id. */
  tries: Type.Integer(),
  /** It belongs to the part that is sent first. */
  canary: Type.Boolean(),
  /** One of `itemErrors`, or the device's own words. */
  error: Nullable(Type.String()),
  /** The reading that proved it, or contradicted it when it timed out. */
  proof: Nullable(Type.Object(Proof)),
  verification: Nullable(Verification),
  /**
   * For the command `read`: the device's last known values with their times. It has answered when `state` is
   * `confirmed`.
   */
  reading: Nullable(
    Type.Object({ at: Timestamp, receivedAt: Timestamp, values: Type.Record(Type.String(), Type.Unknown()) }),
  ),
});

/** The account that decided, when and why. */
const Decision = Type.Object({ by: Type.String(), at: Timestamp, reason: Nullable(Type.String()) });
const Counts = Type.Record(Type.String(), Type.Integer());
const Scope = Type.Object(
  {
    roadId: Type.Optional(Id),
    groupId: Type.Optional(Id),
    controllerId: Type.Optional(Id),
    workAreaId: Type.Optional(Id),
    /** Only for `read`: devices of these families instead of lamps. */
    families: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 30, uniqueItems: true }),
    ),
  },
  { additionalProperties: false, minProperties: 1 },
);

export const CommandSummary = Type.Object({
  id: Type.Integer(),
  command: Type.String(),
  args: Type.Record(Type.String(), Type.Unknown()),
  lane: CommandLane,
  state: TaskState,
  /**
   * The target: a scope with the names of its road, group, controller and area, or the number of devices that were
   * named.
   */
  scope: Type.Object({
    devices: Type.Optional(Type.Integer()),
    roadId: Type.Optional(Type.Integer()),
    groupId: Type.Optional(Type.Integer()),
    controllerId: Type.Optional(Type.Integer()),
    workAreaId: Type.Optional(Type.Integer()),
    families: Type.Optional(Type.Array(Type.String())),
    names: Type.Optional(Type.Array(Type.String())),
  }),
  until: Nullable(Timestamp),
  expiresAt: Nullable(Timestamp),
  reason: Nullable(Type.String()),
  actorName: Type.String(),
  createdAt: Timestamp,
  /** In a list, a command that has ended keeps its count of that time: devices deleted since are included. */
  total: Type.Integer(),
  states: Counts,
  finished: Type.Boolean(),
  /** Unproved items that were settled by reading back, by outcome. */
  verified: Type.Object({ confirmed: Type.Integer(), contradicted: Type.Integer() }),
  /** The command that this one repeats; the command whose unknown items this one reads back. */
  retryOf: Nullable(Type.Integer()),
  verifies: Nullable(Type.Integer()),
  canary: Nullable(
    Type.Object({
      count: Type.Integer(),
      minSuccessPercent: Percent,
      waitSeconds: Type.Integer(),
      state: Type.Enum(['pending', 'passed', 'failed']),
      judgedAt: Nullable(Timestamp),
      confirmed: Nullable(Type.Integer()),
    }),
  ),
  stopAt: Nullable(Type.Object({ failurePercent: Percent, afterAtLeast: Type.Integer() })),
  /** Why it halted: `failed` of `finished` devices failed, among the canary or since it was last resumed. */
  halted: Nullable(
    Type.Object({
      why: Type.Enum(['canary', 'failures']),
      at: Timestamp,
      finished: Type.Integer(),
      failed: Type.Integer(),
    }),
  ),
  cancelled: Nullable(Decision),
  approval: Nullable(
    Type.Object({
      outcome: Type.Enum(approvalOutcomes),
      /**
       * The digest names what the approver saw; an approval of anything else is void. `expiresAt` is never later than
       * that of the command.
       */
      digest: Type.String(),
      expiresAt: Timestamp,
      decision: Nullable(Type.Interface([Decision], { approved: Type.Boolean() })),
      /**
       * Why this caller cannot decide: it gave the command itself, lacks the permission, or does not see every device;
       * a decision exists, or the time is over. null: it can decide.
       */
      hindrance: Nullable(Type.Enum(['own', 'permission', 'area', 'decided', 'expired'])),
    }),
  ),
  /** Limits for acknowledgement and confirmation. */
  limits: Type.Object({ acknowledgeSeconds: Type.Integer(), confirmSeconds: Type.Integer() }),
});

/** The created command. In the state `awaitingApproval` a second person has to agree first. */
const Created = Type.Object({ id: Type.Integer(), total: Type.Integer(), state: TaskState });
const tag = 'commands';

export const createCommand = route({
  method: 'POST',
  path: '/api/v1/commands',
  refuses: ['notFound', 'requestIdReused'],
  limits: { bytes: 512 * 1024, entries: commandBounds.devices + 2000 },
  tag,
  dryRun: true,
  access: 'lamp.control',
  action: 'command.create',
  areaScoped: true,
  status: 201,
  summary:
    'Sends a command to devices, or to all lamps of a road, group, controller or work area. Answers at once; follow its state by id or live.',
  body: Type.Object({
    deviceIds: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: commandBounds.devices })),
    scope: Type.Optional(Scope),
    command: Type.String({ minLength: 1, maxLength: 40 }),
    args: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    /**
     * When the manual state ends. Default: each lamp's next switch on or off by its plan; a step of its level is none.
     * At most 24 h away, in an emergency 4 h.
     */
    until: Type.Optional(Nullable(Timestamp)),
    /** Required in an emergency, and where the site's policy says so. */
    reason: Type.Optional(Nullable(Type.String({ maxLength: commandBounds.reason }))),
    /**
     * Default: `manual`. `emergency` needs the permission lamp.emergency and only raises light (`on`, `auto`). A `read`
     * has its own lane.
     */
    lane: Type.Optional(Type.Enum(['emergency', 'manual', 'plan'])),
    requestId: Type.Optional(RequestId),
    confirmCount: Type.Optional(ConfirmCount),
    /** Nothing is executed after this moment: 10 s to 24 h away. Default: the site's limit. */
    expiresAt: Type.Optional(Nullable(Timestamp)),
    /**
     * A first part is sent, and judged when its last device has ended or the wait is over. Then the rest is sent, or
     * the command halts.
     */
    canary: Type.Optional(
      Nullable(
        Type.Object(
          {
            count: Type.Optional(Type.Integer({ minimum: 1, maximum: commandBounds.canary.count })),
            share: Type.Optional(
              Type.Number({
                exclusiveMinimum: 0,
                maximum: commandBounds.canary.share,
                description: 'Percent of the devices; instead of `count`.',
              }),
            ),
            minSuccessPercent: Percent,
            waitSeconds: Type.Integer({ minimum: 5, maximum: commandBounds.canary.waitSeconds }),
          },
          { additionalProperties: false },
        ),
      ),
    ),
    /** Halts the command when this percentage of the ended devices failed, once at least `afterAtLeast` have ended. */
    stopAt: Type.Optional(
      Nullable(
        Type.Object(
          {
            failurePercent: Type.Number({ minimum: 1, maximum: 100 }),
            afterAtLeast: Type.Integer({ minimum: 1, maximum: commandBounds.devices }),
          },
          { additionalProperties: false },
        ),
      ),
    ),
  }),
  reply: Created,
});

const pages = { page: Type.Optional(Page), size: Type.Optional(Size()) } as const;
const Words = Type.String({
  pattern: '^[a-zA-Z]+(,[a-zA-Z]+)*$',
  maxLength: 200,
  description: 'One or several, comma-separated.',
});

export const listCommands = route({
  method: 'GET',
  path: '/api/v1/commands',
  tag,
  access: ['lamp.monitor', 'lamp.approve'],
  areaScoped: true,
  summary: 'Commands, newest first; of one device with `deviceId`.',
  query: Type.Object({
    deviceId: Type.Optional(Id),
    state: Type.Optional(Words),
    lane: Type.Optional(Words),
    command: Type.Optional(Type.String({ maxLength: 40 })),
    /** Part of the name of the account that gave the command. */
    actor: Type.Optional(Type.String({ maxLength: 60 })),
    /**
     * Only commands that needed a second person, by outcome; and part of the name of the person who agreed, refused or
     * withdrew.
     */
    approval: Type.Optional(Words),
    approver: Type.Optional(Type.String({ maxLength: 60 })),
    from: Type.Optional(Timestamp),
    to: Type.Optional(Timestamp),
    ...pages,
  }),
  reply: listOf(Type.Interface([CommandSummary], { item: Type.Optional(CommandItem) })),
});

export const getCommand = route({
  method: 'GET',
  path: '/api/v1/commands/:id',
  tag,
  access: ['lamp.monitor', 'lamp.approve'],
  areaScoped: true,
  summary: 'One command: funnel and state per device, failures first; `recordsTotal` counts the items of the filter.',
  params: IdParams,
  query: Type.Object({
    state: Type.Optional(Words),
    /** Part of the code or the name of a device. */
    q: Type.Optional(Type.String({ maxLength: 60 })),
    canary: Type.Optional(Type.Boolean()),
    verified: Type.Optional(Type.Enum(['confirmed', 'contradicted', 'no'])),
    ...pages,
  }),
  reply: Type.Interface([CommandSummary], { items: Type.Array(CommandItem), recordsTotal: Type.Integer() }),
});

export const retryCommand = route({
  method: 'POST',
  path: '/api/v1/commands/:id/retry',
  refuses: ['requestIdReused'],
  tag,
  dryRun: true,
  access: 'lamp.control',
  action: 'command.retry',
  areaScoped: true,
  status: 201,
  summary:
    'Creates a command for those devices of the old one that failed, timed out or expired (or have the given states), except those that reading back confirmed.',
  params: IdParams,
  body: Type.Object({
    states: Type.Optional(
      Type.Array(Type.Enum(retryStates), { minItems: 1, maxItems: retryStates.length, uniqueItems: true }),
    ),
    reason: Type.Optional(Nullable(Type.String({ maxLength: commandBounds.reason }))),
    requestId: Type.Optional(RequestId),
    confirmCount: Type.Optional(ConfirmCount),
  }),
  reply: Created,
});

export const verifyCommand = route({
  method: 'POST',
  path: '/api/v1/commands/:id/verify',
  refuses: ['requestIdReused'],
  tag,
  dryRun: true,
  access: 'lamp.control',
  action: 'command.verify',
  areaScoped: true,
  status: 201,
  summary:
    'Asks every device that timed out and has no newer command for a reading. The reading settles the old item; the state of the item stays.',
  params: IdParams,
  body: Type.Object({ requestId: Type.Optional(RequestId) }),
  reply: Created,
});

export const cancelCommand = route({
  method: 'POST',
  path: '/api/v1/commands/:id/cancel',
  tag,
  dryRun: true,
  access: 'lamp.control',
  action: 'command.cancel',
  areaScoped: true,
  summary:
    'Cancels what is not yet sent; what is on its way ends by itself. Cancelling again changes nothing and gives the same answer.',
  params: IdParams,
  body: Type.Object({ reason: Reason }),
  reply: Type.Object({ cancelled: Type.Integer(), onTheWay: Type.Integer() }),
});

export const resumeCommand = route({
  method: 'POST',
  path: '/api/v1/commands/:id/resume',
  refuses: ['commandNotHalted'],
  tag,
  dryRun: true,
  access: 'lamp.control',
  action: 'command.resume',
  areaScoped: true,
  summary: 'Sends the rest of a halted command; failures are counted from zero.',
  params: IdParams,
  body: Type.Object({ reason: Reason }),
  reply: Type.Object({ released: Type.Integer() }),
});

export const decideCommand = route({
  method: 'POST',
  path: '/api/v1/commands/:id/approval',
  refuses: ['notAwaitingApproval'],
  tag,
  dryRun: true,
  access: 'lamp.approve',
  action: byBody('command.decide', ({ approved }) => (approved === true ? 'command.approve' : 'command.refuse')),
  areaScoped: true,
  summary:
    'A second person agrees, or refuses with a reason. The account that gave the command cannot decide; a command that changed since `digest` was read cannot be approved.',
  params: IdParams,
  body: Type.Object({
    approved: Type.Boolean(),
    digest: Type.String({ maxLength: 64 }),
    reason: Type.Optional(Nullable(Type.String({ maxLength: commandBounds.reason }))),
  }),
  reply: Type.Object({ state: TaskState }),
});

export const exportCommand = route({
  method: 'POST',
  path: '/api/v1/commands/:id/export',
  tag,
  dryRun: 'makes a task',
  access: 'lamp.monitor',
  action: 'command.export',
  areaScoped: true,
  status: 201,
  summary: 'Begins the export of the results per device as a task.',
  params: IdParams,
  body: Type.Object({
    format: Type.Optional(Type.Enum(['xlsx', 'csv'])),
    states: Type.Optional(Type.Array(CommandState, { minItems: 1, maxItems: commandStates.length, uniqueItems: true })),
  }),
  reply: Type.Object({ taskId: Type.Integer() }),
});
