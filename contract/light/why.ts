import { Type } from 'typebox';
import { levelOperations, planLayers } from '../../catalogue/lighting/plan/stack.ts';
import { suspicionCodes, suspicionWeights } from '../../catalogue/lighting/why.ts';
import { IdParams, Nullable, Timestamp, route } from '../route.ts';
import { CommandLane, CommandState } from './commands.ts';
import { PlanHash } from './versioned.ts';

/** Why a lamp is as it is, now or at an instant that has been: what was seen, what is asked of it, and by whom. */

export const WhyLayer = Type.Object({
  layer: Type.Enum(planLayers),
  /** It holds at that instant. */
  applies: Type.Boolean(),
  /** The level comes from it. */
  decides: Type.Boolean(),
  op: Type.Enum(levelOperations),
  /** What it asks for, percent; null: nobody knows, as of a selector on site. */
  value: Nullable(Type.Number()),
  /** The level with it and all weaker layers. */
  level: Type.Number(),
  /** What it comes from, `id` that of its page; null: the device itself, or the sun of its area. */
  ref: Nullable(
    Type.Object({
      /** `schedule`: a setting of its own (时间表设置); its label has the day and who made it. */
      type: Type.Enum(['command', 'exception', 'scheme', 'schedule', 'template', 'device']),
      id: Type.Integer(),
      label: Type.String(),
      version: Nullable(Type.Integer()),
    }),
  ),
  /** Who asked for it, and the second person who agreed. */
  by: Nullable(Type.String()),
  approvedBy: Nullable(Type.String()),
  since: Nullable(Timestamp),
  until: Nullable(Timestamp),
  reason: Nullable(Type.String()),
});

export const WhySuspicion = Type.Object({
  code: Type.Enum(suspicionCodes),
  /** `certain`: it is so, and accounts for what is seen; `likely`; `possible`. */
  weight: Type.Enum(suspicionWeights),
  /** What it rests on: names of numbers, instants (ISO 8601), hashes and codes. */
  evidence: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
});

export const whyLamp = route({
  method: 'GET',
  path: '/api/v1/lamps/:id/why',
  refuses: ['notFound'],
  tag: 'lamps',
  access: 'lamp.monitor',
  areaScoped: true,
  summary:
    'Why a lamp is as it is, now or at an instant that has been: what was read, every layer that asks something of it, whether both agree, suspicions in a fixed order, and one sentence in the language of the caller.',
  params: IdParams,
  query: Type.Object({ at: Type.Optional(Timestamp) }),
  reply: Type.Object({
    at: Timestamp,
    timeZone: Type.String(),
    /** Its code. */
    lamp: Type.String(),
    /** The last reading up to that instant, at most two days before it; null: there is none. */
    observed: Nullable(
      Type.Object({
        level: Nullable(Type.Number()),
        power: Nullable(Type.Number()),
        relay: Nullable(Type.Boolean()),
        /** Why it does what it does, as it says. */
        reason: Nullable(Type.String()),
        planHash: Nullable(PlanHash),
        readingAt: Timestamp,
        ageSeconds: Type.Integer(),
      }),
    ),
    expected: Type.Object({ level: Type.Number(), layer: Type.Enum(planLayers) }),
    /** From the strongest to the weakest. */
    layers: Type.Array(WhyLayer),
    /** Null: there is no reading since the last change of what is asked. */
    agrees: Nullable(Type.Boolean()),
    suspicions: Type.Array(WhySuspicion),
    /** The next change of what is asked; null: none within three nights. */
    next: Nullable(Type.Object({ at: Timestamp, level: Type.Number(), layer: Type.Enum(planLayers) })),
    /** The latest five up to that instant. */
    lastCommands: Type.Array(
      Type.Object({
        id: Type.Integer(),
        command: Type.String(),
        level: Nullable(Type.Number()),
        lane: CommandLane,
        by: Type.String(),
        at: Timestamp,
        until: Nullable(Timestamp),
        state: CommandState,
        reason: Nullable(Type.String()),
      }),
    ),
    supply: Type.Object({
      loop: Nullable(Type.String()),
      box: Nullable(Type.String()),
      /** By its contactor, else by the plan of the loop; null: nobody said that the loop is switched. */
      powered: Nullable(Type.Boolean()),
      by: Nullable(Type.Enum(['plan', 'contactor'])),
      contactor: Nullable(Type.Boolean()),
      contactorAt: Nullable(Timestamp),
    }),
    /** The lowest mean level of three neighbours that the class of its road allows; null: it has no road, or none. */
    floor: Nullable(Type.Object({ roadClass: Type.String(), level: Type.Number() })),
    /** What is not kept of that time any more. */
    missing: Type.Array(Type.Enum(['readings', 'plan'])),
    /** All of it in one sentence, ready to send. */
    sentence: Type.String(),
  }),
});
