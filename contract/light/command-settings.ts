import { Type } from 'typebox';
import { Id, Nullable, Page, Size, Version, listOf, route } from '../route.ts';

/**
 * The site's rules for commands: when a reason or a second person is needed, how long answers may take, how fast
 * commands go to gateways.
 */

/** Bounds and default of each limit: seconds, but for the last one. */
export const limitBounds = {
  /** From sending to the acknowledgement. */
  acknowledgeSeconds: { minimum: 1, maximum: 3600, fallback: 30 },
  /**
   * A command without an answer is sent again under the same id: after this time, then after twice as long each time,
   * while an answer still counts.
   */
  repeatSeconds: { minimum: 1, maximum: 3600, fallback: 5 },
  /** From sending to the reading that proves it. */
  confirmSeconds: { minimum: 2, maximum: 7200, fallback: 120 },
  /** How long a command that cannot be sent waits in the queue. */
  queueSeconds: { minimum: 5, maximum: 86_400, fallback: 120 },
  /** Messages a second to a gateway or controller without a pace of its own. */
  gatewayPerSecond: { minimum: 0.1, maximum: 1000, fallback: 100 },
} as const;
export type CommandLimitName = keyof typeof limitBounds;
/**
 * Defaults: an account that darkens more than 200 lamps within 10 minutes (off, or below 20 %) needs a second person.
 */
export const policyDefaults = {
  reasonAbove: null,
  approvalAbove: 200,
  withinMinutes: 10,
  approvalMinutes: 10,
  off: true,
  dimBelow: 20,
} as const;

const Lamps = Nullable(Type.Integer({ minimum: 0, maximum: 1_000_000 }));
const limit = (name: CommandLimitName) => ({ minimum: limitBounds[name].minimum, maximum: limitBounds[name].maximum });
const Policy = Type.Object(
  {
    /** A command that darkens more lamps than this needs a reason; null: never. */
    reasonAbove: Lamps,
    /**
     * Commands of one account wait for a second person if they darken more lamps than this within `withinMinutes`, all
     * of them together; null: never.
     */
    approvalAbove: Lamps,
    withinMinutes: Type.Integer({ minimum: 1, maximum: 1440 }),
    /** How long the second person may take. */
    approvalMinutes: Type.Integer({ minimum: 1, maximum: 1440 }),
    /** Which commands darken: `off`, and a level below this percentage (null: no level does). */
    off: Type.Boolean(),
    dimBelow: Nullable(Type.Integer({ minimum: 1, maximum: 100 })),
  },
  { additionalProperties: false },
);
const Limits = Type.Object(
  {
    acknowledgeSeconds: Type.Integer(limit('acknowledgeSeconds')),
    repeatSeconds: Type.Integer(limit('repeatSeconds')),
    confirmSeconds: Type.Integer(limit('confirmSeconds')),
    queueSeconds: Type.Integer(limit('queueSeconds')),
    gatewayPerSecond: Type.Number(limit('gatewayPerSecond')),
  },
  { additionalProperties: false },
);
export const CommandSettings = Type.Object({ version: Type.Integer(), policy: Policy, limits: Limits });
const tag = 'commands';

export const getCommandSettings = route({
  method: 'GET',
  path: '/api/v1/command-settings',
  tag,
  access: ['lamp.monitor', 'lamp.control', 'lamp.approve', 'site.commands'],
  summary: 'When commands need a reason or a second person, and the limits in force.',
  reply: CommandSettings,
});
export const updateCommandSettings = route({
  method: 'PUT',
  path: '/api/v1/command-settings',
  tag,
  dryRun: true,
  access: 'site.commands',
  action: 'command.settings',
  summary: 'Changes policy and limits; those left out stay. An outdated `version` is 409.',
  body: Type.Object({
    version: Type.Optional(Version),
    policy: Type.Optional(Type.Partial(Policy)),
    limits: Type.Optional(Type.Partial(Limits)),
  }),
  reply: CommandSettings,
});

const Pace = Type.Object({
  id: Type.Integer(),
  code: Type.String(),
  name: Nullable(Type.String()),
  perSecond: Nullable(Type.Number()),
  children: Type.Integer(),
});
export const listCommandPaces = route({
  method: 'GET',
  path: '/api/v1/command-paces',
  tag,
  access: 'site.commands',
  areaScoped: true,
  summary: 'Gateways and controllers that commands go through; `perSecond` null: the site’s pace.',
  query: Type.Object({
    q: Type.Optional(Type.String({ maxLength: 60 })),
    page: Type.Optional(Page),
    size: Type.Optional(Size(200)),
  }),
  reply: listOf(Pace),
});
export const updateCommandPace = route({
  method: 'PUT',
  path: '/api/v1/command-paces/:id',
  tag,
  dryRun: true,
  access: 'site.commands',
  action: 'command.pace',
  areaScoped: true,
  status: 204,
  summary: 'How many messages a second one gateway takes; null: the site’s pace.',
  params: Type.Object({ id: Id }),
  body: Type.Object({ perSecond: Nullable(Type.Number(limit('gatewayPerSecond'))) }),
  reply: Type.Null(),
  replyKind: 'empty',
});
