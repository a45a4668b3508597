import { Type } from 'typebox';
import { planLacks } from '../../catalogue/lighting/plan/ability.ts';
import { nightWarnings, patterns } from '../../catalogue/lighting/plan/programme.ts';
import { planLayers } from '../../catalogue/lighting/plan/stack.ts';
import { Day, IdParams, Nullable, Timestamp, route } from '../route.ts';
import { ItemState, itemReasons } from './publications.ts';
import { PlanHash, VersionHash } from './versioned.ts';
import { WhyLayer } from './why.ts';

/** One lamp's night by its plan: a lighting day of its own place and zone, tonight or any other. */

/** Lighting days before and after the current one. Devices know no more days ahead. */
export const lampPlanBounds = { daysBack: 400, daysAhead: 400 } as const;

const Version = Type.Object({
  /** Of the scheme or template; its page has it. */
  id: Type.Integer(),
  code: Type.String(),
  name: Nullable(Type.String()),
  number: Type.Integer(),
  versionHash: VersionHash,
});

const Stretch = Type.Object({
  from: Timestamp,
  to: Timestamp,
  /** Percent. */
  level: Type.Number(),
  /**
   * The layer that the level comes from, with who is behind it; null: the full level of a lamp of which nothing is asked.
   * Of a command `ref`, `by`, `approvedBy` and `reason` are null for callers without `lamp.monitor`.
   */
  decides: Nullable(WhyLayer),
  /** Of the programme, where its level holds: the place of its period, from 0, and which lamps of the row that lights. */
  period: Nullable(Type.Integer()),
  pattern: Nullable(Type.Enum(patterns)),
  /** The pattern leaves this lamp dark while others of its row burn. */
  darkByPattern: Type.Boolean(),
});

const Abilities = Type.Object({
  periods: Type.Integer(),
  calendar: Type.Boolean(),
  light: Type.Boolean(),
  cycle: Type.Boolean(),
});

export const getLampPlan = route({
  method: 'GET',
  path: '/api/v1/lamps/:id/plan',
  refuses: ['notFound'],
  tag: 'lamps',
  access: ['lamp.monitor', 'plan.query', 'plan.publish'],
  areaScoped: true,
  summary:
    'The night of a lamp by its plan for a lighting day of its own place and time zone, without `day` the current one: what it follows, the layers that hold, its stretches with level and reason, what its device can of it, and for tonight how far its publication came. Past nights are as planned and commanded; `why` says what was seen. `planHash` is that of the plan on the wire, `versionHash` that of a version: the two are not to be compared.',
  params: IdParams,
  query: Type.Object({ day: Type.Optional(Day) }),
  reply: Type.Object({
    id: Type.Integer(),
    /** Its code. */
    lamp: Type.String(),
    name: Nullable(Type.String()),
    timeZone: Type.String(),
    /** Called by the date of its evening. `current`: the lighting day of now. */
    day: Type.String(),
    current: Type.String(),
    /** The lighting day from noon to noon; null: nobody knows where the lamp stands, so nobody knows its night. */
    from: Nullable(Timestamp),
    to: Nullable(Timestamp),
    place: Nullable(
      Type.Object({ latitude: Type.Number(), longitude: Type.Number(), sunOffsetMinutes: Type.Number() }),
    ),
    /** Null: none; without a template either it switches by the sun of its area. `own`: a setting of its own (时间表设置). */
    scheme: Nullable(Type.Interface([Version], { own: Type.Boolean() })),
    template: Nullable(Version),
    /** The programme of that day by the calendar of the scheme. */
    programme: Nullable(Type.Object({ key: Type.Integer(), name: Type.String() })),
    /** Since which lighting day it follows them, by whom, and the second person who agreed. */
    followedFrom: Nullable(Type.String()),
    by: Nullable(Type.String()),
    approvedBy: Nullable(Type.String()),
    /** Layers that a level of this lighting day comes from, the strongest first. */
    layers: Type.Array(Type.Enum(planLayers)),
    /** First on and last off; null: no light. */
    on: Nullable(Timestamp),
    off: Nullable(Timestamp),
    /** With light, ascending; there may be several. */
    lit: Type.Array(Stretch),
    /** Without light within the night, or where a command or an exception asks for none. */
    dark: Type.Array(Stretch),
    /** What the night leaves out, and why; `period` from 0 of the programme, null: the night, or an exception in it. */
    warnings: Type.Array(Type.Object({ code: Type.Enum(nightWarnings), period: Nullable(Type.Integer()) })),
    /** Exceptions of that day that need more periods than devices hold: they do not hold. */
    exceptionsLeftOut: Type.Array(Type.Integer()),
    /** Of the plan on the wire now, of another day as it is at the noon that begins that day; null: none, or the table. */
    planHash: Nullable(PlanHash),
    /** What the device said and can. */
    device: Type.Object({
      /** The plan that it says it runs now, and since when it says so. */
      planHash: Nullable(PlanHash),
      reportedAt: Nullable(Timestamp),
      /** What it said that it can of a plan by itself; null: it said nothing, or knows no plans. */
      abilities: Nullable(Abilities),
      /** What the plan asks for; null: it is sent none. */
      needs: Nullable(
        Type.Object({
          periods: Type.Integer(),
          calendar: Type.Boolean(),
          cycle: Type.Boolean(),
          dimming: Type.Boolean(),
        }),
      ),
      /**
       * What of the plan it cannot hold: more `periods` than it knows, several programmes (`calendar`), patterns (`cycle`),
       * levels (`dimming`), the size of the message (`bytes`). It is sent the table of each night then, where it said what
       * it can or the message is too large.
       */
      cannot: Type.Array(Type.Enum([...planLacks, 'dimming', 'bytes'])),
      /** Periods of that night's programme beyond those that the device holds. */
      periodsBeyond: Type.Integer(),
      /** `plan`: it follows it by itself. `table`: it is sent the table of each night. `both`: nobody knows what it can. */
      sent: Nullable(Type.Enum(['plan', 'table', 'both'])),
    }),
    /** Of the current lighting day: the last publication to the lamp; null: none, or another day. */
    publication: Nullable(
      Type.Object({
        id: Type.Integer(),
        state: ItemState,
        reason: Nullable(Type.Enum(itemReasons)),
        planHash: Nullable(PlanHash),
        toldAt: Nullable(Timestamp),
        reportedAt: Nullable(Timestamp),
        provenAt: Nullable(Timestamp),
      }),
    ),
  }),
});
