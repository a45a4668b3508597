import { Type } from 'typebox';
import { exceptionOperations } from '../../catalogue/lighting/plan/exceptions.ts';
import { planLimits } from '../../catalogue/lighting/limits.ts';
import { Day, Id, IdParams, Nullable, Page, Size, Timestamp, byBody, listOf, route } from '../route.ts';
import { approvalOutcomes } from './commands.ts';
import { ConfirmCount, PublicationScope, publicationBounds } from './publications.ts';

/** Exceptions of plans: for some lighting days, or between two instants, lamps have another level or programme. */

/**
 * `awaitingApproval`: a second person has to agree. `planned`: its time comes. `inForce`. Over: `ended`, `cancelled`,
 * `refused`, `lapsed` (nobody agreed in time).
 */
export const exceptionStates = [
  'awaitingApproval',
  'planned',
  'inForce',
  'ended',
  'cancelled',
  'refused',
  'lapsed',
] as const;
export const ExceptionState = Type.Enum(exceptionStates);

/**
 * Why an exception cannot hold for a lamp: it is disabled, nobody knows where it stands, its records are damaged so
 * that its plan cannot be made (`unreadable`), or its programme would have more periods or programmes than devices take,
 * or it has as many exceptions as one lamp may. `capability`: it only switches, and would be dimmed.
 */
export const exceptionReasons = ['disabled', 'noPlace', 'unreadable', 'periods', 'capability'] as const;

export const exceptionBounds = {
  /** Lighting days, and hours between two instants. */
  days: 62,
  hours: 168,
  /** From today to the first lighting day or instant. */
  daysAhead: 366,
  reason: { min: 5, max: 200 },
} as const;

const Level = Type.Integer({ minimum: planLimits.level.min, maximum: planLimits.level.max });
const tag = 'exceptions';
const bigBody = { bytes: 512 * 1024, entries: publicationBounds.devices + 2000 } as const;

const asked = {
  /** The lamps of any of these, as they are at this moment: later members are not in it. */
  scope: PublicationScope,
  /** Lighting days, both included: the light between on and off is another. Instead of `from` and `to`. */
  fromDay: Type.Optional(Day),
  toDay: Type.Optional(Day),
  /** Instants, taken to the minute: the level is another whatever the hour. */
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
  /** On the level that is planned: this level, at most, at least. Instead of a programme. */
  op: Type.Optional(Type.Enum(exceptionOperations)),
  level: Type.Optional(Level),
  /** One programme of the newest version of a scheme, or of the version `schemeNumber`; of lighting days only. */
  schemeId: Type.Optional(Id),
  schemeNumber: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  programme: Type.Optional(
    Type.Integer({ minimum: planLimits.programmeKey.min, maximum: planLimits.programmeKey.max }),
  ),
} as const;

const Cannot = Type.Array(Type.Object({ reason: Type.Enum(exceptionReasons), count: Type.Integer() }));

/**
 * Lamps that it darkens and leaves among three neighbours of a row whose mean is below the floor of the road. A second
 * person has to agree to them, however few they are. `level`: the lowest mean, percent.
 */
const BelowFloor = Type.Array(
  Type.Object({ roadClass: Type.String(), lamps: Type.Integer(), floor: Type.Number(), level: Type.Number() }),
);

export const ExceptionPreview = Type.Object({
  from: Timestamp,
  to: Timestamp,
  lamps: Type.Integer(),
  cannot: Cannot,
  /** Lamps that are darker at any instant of its time than they would be without it. */
  darkens: Type.Integer(),
  needsSecond: Type.Boolean(),
  belowFloor: BelowFloor,
});

const Decision = Type.Object({ by: Type.String(), at: Timestamp, reason: Nullable(Type.String()) });

export const ExceptionSummary = Type.Object({
  id: Type.Integer(),
  state: ExceptionState,
  /** A caller who does not see every lamp gets `devices` alone. */
  scope: Type.Object({
    roadIds: Type.Optional(Type.Array(Type.Integer())),
    groupIds: Type.Optional(Type.Array(Type.Integer())),
    controllerIds: Type.Optional(Type.Array(Type.Integer())),
    workAreaId: Type.Optional(Type.Integer()),
    /** How many were named. */
    devices: Type.Optional(Type.Integer()),
    names: Type.Optional(Type.Array(Type.String())),
  }),
  /** Null: instants. */
  fromDay: Nullable(Type.String()),
  toDay: Nullable(Type.String()),
  from: Timestamp,
  to: Timestamp,
  op: Nullable(Type.Enum(exceptionOperations)),
  level: Nullable(Type.Integer()),
  /** Instead of a level. */
  programme: Nullable(
    Type.Object({
      schemeId: Type.Integer(),
      code: Type.String(),
      name: Type.String(),
      number: Type.Integer(),
      key: Type.Integer(),
      programmeName: Nullable(Type.String()),
    }),
  ),
  reason: Type.String(),
  actorName: Type.String(),
  createdAt: Timestamp,
  endedAt: Nullable(Timestamp),
  endReason: Nullable(Type.String()),
  total: Type.Integer(),
  /** The caller sees every lamp of it. */
  whole: Type.Boolean(),
  /** Lamps for which it cannot hold. */
  cannot: Type.Integer(),
  darkens: Type.Integer(),
  /** As it was when it was made, or when a second person was last refused as it had become another. */
  belowFloor: BelowFloor,
  /** The second person who agreed to it; null: it needed none, or nobody agreed. */
  agreedBy: Nullable(Type.String()),
  /** An end before its time was asked for; `approval` says what became of that. Absent: it was not. */
  ending: Type.Optional(
    Type.Object({
      by: Type.String(),
      at: Timestamp,
      reason: Type.String(),
      darkens: Type.Integer(),
      /** What it leaves below the floor. */
      belowFloor: BelowFloor,
    }),
  ),
  approval: Nullable(
    Type.Object({
      outcome: Type.Enum(approvalOutcomes),
      expiresAt: Timestamp,
      /** Names what the decision is about: by whom, until when, `darkens`, `belowFloor` and its lamps. */
      digest: Type.String(),
      decision: Nullable(Decision),
      /** Why this caller cannot decide; null: it can. */
      hindrance: Nullable(Type.Enum(['own', 'permission', 'area', 'decided', 'expired'])),
    }),
  ),
});

const StateReply = Type.Object({ id: Type.Integer(), state: ExceptionState });

export const previewException = route({
  method: 'POST',
  path: '/api/v1/plan-exceptions/preview',
  refuses: ['notFound', 'tooManyDevices', 'noDevices'],
  limits: bigBody,
  tag,
  dryRun: 'changes nothing',
  access: 'plan.exception',
  logged: false,
  inPreview: true,
  areaScoped: true,
  summary: 'What an exception would do: lamps for which it cannot hold, lamps that are darker. Changes nothing.',
  body: Type.Object(asked),
  reply: ExceptionPreview,
});

export const createException = route({
  method: 'POST',
  path: '/api/v1/plan-exceptions',
  refuses: ['notFound', 'tooManyDevices', 'noDevices', 'devicesDisabled', 'requestIdReused', 'countNeeded'],
  limits: bigBody,
  tag,
  dryRun: true,
  access: 'plan.exception',
  action: 'exception.create',
  areaScoped: true,
  status: 201,
  summary:
    'Gives lamps another level or programme for a time; groups are expanded at this moment. Above the limit for darkened lamps, and below the floor of a road, a second person has to agree.',
  body: Type.Object({
    ...asked,
    reason: Type.String({ minLength: exceptionBounds.reason.min, maxLength: exceptionBounds.reason.max }),
    confirmCount: ConfirmCount,
    requestId: Type.Optional(
      Type.String({
        format: 'uuid',
        maxLength: 36,
        description: 'Chosen by the caller. The same request sent again is answered with the exception it created.',
      }),
    ),
  }),
  reply: Type.Object({ id: Type.Integer(), total: Type.Integer(), state: ExceptionState }),
});

const pages = { page: Type.Optional(Page), size: Type.Optional(Size()) } as const;

const Words = Type.String({
  pattern: '^[a-zA-Z]+(,[a-zA-Z]+)*$',
  maxLength: 200,
  description: 'One or several, comma-separated.',
});
/** Of the list of exceptions. */
export const ExceptionFilters = Type.Object({
  /** States. */
  state: Type.Optional(Words),
  /** Part of the reason, or of the name of who made it. */
  q: Type.Optional(Type.String({ maxLength: 60 })),
  /** What became of the approval; those that needed none are left out. */
  approval: Type.Optional(Words),
});

export const listExceptions = route({
  method: 'GET',
  path: '/api/v1/plan-exceptions',
  tag,
  access: ['plan.query', 'lamp.approve'],
  areaScoped: true,
  summary: 'Exceptions that hold for lamps of the caller, newest first.',
  query: Type.Object({ ...ExceptionFilters.properties, ...pages }),
  reply: listOf(ExceptionSummary),
});

export const getException = route({
  method: 'GET',
  path: '/api/v1/plan-exceptions/:id',
  tag,
  access: ['plan.query', 'lamp.approve'],
  areaScoped: true,
  summary: 'One exception and its lamps, those for which it cannot hold first.',
  params: IdParams,
  query: Type.Object(pages),
  reply: Type.Interface([ExceptionSummary], {
    lamps: Type.Array(
      Type.Object({
        deviceId: Type.Integer(),
        code: Type.String(),
        name: Nullable(Type.String()),
        roadName: Nullable(Type.String()),
        cannot: Nullable(Type.Enum(exceptionReasons)),
      }),
    ),
    recordsTotal: Type.Integer(),
  }),
});

export const decideException = route({
  method: 'POST',
  path: '/api/v1/plan-exceptions/:id/decide',
  refuses: ['notAwaitingApproval', 'ownCommand', 'approvalExpired', 'reasonNeeded', 'changedMeanwhile'],
  tag,
  dryRun: true,
  access: 'lamp.approve',
  action: byBody('exception.decide', ({ approved }) => (approved === true ? 'exception.approve' : 'exception.refuse')),
  areaScoped: true,
  summary:
    'A second person agrees, or refuses with a reason. Who made it cannot; nor can who does not see every lamp. `digest` names what was looked at (`approval.digest`). It is judged again: where more lamps get darker than that, or other or darker ones are below the floor of their road, it is 409 with `darkens`, `belowFloor` and the `digest` of these, which the exception says from then on. A refusal is not compared.',
  params: IdParams,
  body: Type.Object({
    approved: Type.Boolean(),
    /** What the client showed, as it was read. */
    digest: Type.String({ maxLength: 64 }),
    reason: Type.Optional(Nullable(Type.String({ maxLength: exceptionBounds.reason.max }))),
  }),
  reply: StateReply,
});

export const cancelException = route({
  method: 'POST',
  path: '/api/v1/plan-exceptions/:id/cancel',
  refuses: ['exceptionOver', 'countNeeded'],
  tag,
  dryRun: true,
  access: 'plan.exception',
  action: 'exception.cancel',
  areaScoped: true,
  summary:
    'Ends an exception before its time: its lamps follow their plan again. Where more lamps than allowed get darker by it a second person has to agree; until then it goes on.',
  params: IdParams,
  body: Type.Object({
    reason: Type.String({ minLength: 1, maxLength: exceptionBounds.reason.max, pattern: '\\S' }),
    confirmCount: ConfirmCount,
  }),
  reply: Type.Interface([StateReply], {
    /** A second person has to agree. */
    waits: Type.Optional(Type.Boolean()),
    /** Its lamps, and how many of them get darker by its end. */
    lamps: Type.Integer(),
    darker: Type.Integer(),
  }),
});
