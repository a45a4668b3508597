import { Type } from 'typebox';
import { findingCodes } from '../../catalogue/lighting/plan/findings.ts';
import { Day, Id, IdParams, Nullable, Page, Size, Timestamp, byBody, listOf, route } from '../route.ts';
import { approvalOutcomes } from './commands.ts';
import { PublicationCanary, PublicationCriteria } from './first-part.ts';
import { PlanHash, VersionHash, VersionParams } from './versioned.ts';

/** Publications: a version is told to lamps, first to a few, and each lamp proves at a planned step that it runs it. */

/**
 * `awaitingApproval`: a second person has to agree. `tellingCanary`, `judging`: the first part is told and watched;
 * `judging` with `judged.passed` waits for a person, unless it goes on by itself. `tellingAll`, `proving`: the rest.
 * `halted`: a person resumes or reverts it, and until then its lamps are in no other publication. `reverting`: lamps
 * are told what they followed before. Ended: `done`, `reverted`, `cancelled`, `refused`, `lapsed`. `done` waits for no
 * lamp that is away: each lamp is `proven`, `diverged`, `away`, `cannot` or `superseded`, or seven days have passed
 * since it was told. Lamps that are away are watched for these seven days all the same: they become `proven` or
 * `diverged` at their first planned step after they came back.
 */
export const publicationPhases = [
  'awaitingApproval',
  'tellingCanary',
  'judging',
  'tellingAll',
  'proving',
  'halted',
  'reverting',
  'done',
  'reverted',
  'cancelled',
  'refused',
  'lapsed',
] as const;
export const PublicationPhase = Type.Enum(publicationPhases);

/**
 * The state of one lamp: `waiting` (approval, canary), `pending` (its turn comes), `told`, `reported` (it says that it
 * runs the plan), `proven` (a reading at a planned step agrees); `diverged` (it does something else), `away` (no
 * reading since), `cannot`, `superseded` (it was told something else, or is not told any more).
 */
export const itemStates = [
  'waiting',
  'pending',
  'told',
  'reported',
  'proven',
  'diverged',
  'away',
  'cannot',
  'superseded',
] as const;
export const ItemState = Type.Enum(itemStates);

/**
 * Why a lamp cannot follow, or is not told: `disabled`, `noPlace` (nobody knows where it stands), `unreadable` (its
 * records are damaged, so that its plan cannot be made), `capability` (it only switches, and the plan dims), `stopped`,
 * `reverted`.
 * `clock`: its clock is wrong by more than a minute, and it was judged by that clock. `otherPlan`: at planned steps it
 * said that it runs another plan than it was told, whatever its levels were.
 */
export const itemReasons = [
  'disabled',
  'noPlace',
  'unreadable',
  'capability',
  'stopped',
  'reverted',
  'clock',
  'otherPlan',
  'messageSize',
] as const;

/** What a first part is judged by, and may fail by. */
export const firstPartFailures = ['reported', 'proven', 'lit', 'alarms'] as const;

export const publicationBounds = {
  devices: 20_000,
  scope: 100_000,
  /** Things of a kind that a scope names. */
  places: 200,
  reason: 200,
  /** Lighting days from the current one to the first on which it holds; lamps are told so many days before it. */
  daysAhead: 366,
  toldAhead: 3,
  /** Bytes of the message to a device. */
  message: 16_384,
  /** Points of the line of a road on a map. */
  roadPoints: 12,
  /** Lighting days that are compared one by one; of so many, one night for each two programmes that meet. */
  compared: { nights: 8, days: 400 },
  /** Lamps that a finding names; where all of one code are asked for. */
  findingLamps: { first: 20, all: 5000 },
} as const;

const Reason = Type.String({ minLength: 1, maxLength: publicationBounds.reason, pattern: '\\S' });
const Ids = (least: number, most: number = publicationBounds.places) =>
  Type.Optional(Type.Array(Id, { minItems: least, maxItems: most, uniqueItems: true }));

/** `least` 0: one that names nothing is answered by the rules of the call. */
export const lampScope = (least: 0 | 1) =>
  Type.Object(
    {
      roadIds: Ids(least),
      groupIds: Ids(least),
      controllerIds: Ids(least),
      workAreaId: Type.Optional(Id),
      deviceIds: Ids(least, publicationBounds.devices),
    },
    { additionalProperties: false, minProperties: least },
  );
/** The lamps of any of these, as they are at this moment. */
export const PublicationScope = lampScope(1);

const asked = {
  /** Absent: lamps keep the scheme that they have. */
  schemeId: Type.Optional(Id),
  schemeNumber: Type.Optional(VersionParams.properties.number),
  /** Absent: lamps keep the template that they have. */
  templateId: Type.Optional(Id),
  templateNumber: Type.Optional(VersionParams.properties.number),
  scope: PublicationScope,
  /** First lighting day. Default: the current one before the guard of its evening, else the next. */
  effectiveFrom: Type.Optional(Day),
} as const;

const Version = Type.Object({
  id: Type.Integer(),
  code: Type.String(),
  name: Type.String(),
  number: Type.Integer(),
  hash: VersionHash,
  /** A setting of these lamps alone (时间表设置): no scheme has it. */
  schedule: Type.Optional(Type.Literal(true)),
});

/** The same codes as of simulations. */
export const PublicationFinding = Type.Object({
  code: Type.Enum(findingCodes),
  /** An `error` blocks, a `warning` is accepted by naming its code, a `note` is to be known. */
  severity: Type.Enum(['error', 'warning', 'note']),
  /** Lamps, nights or years that it is about, and what the text of the code names. */
  params: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
  /** Absent: it is of no lamps, or the reader does not see all of the publication. */
  lamps: Type.Optional(
    Type.Object({ count: Type.Integer(), first: Type.Array(Type.Object({ id: Type.Integer(), code: Type.String() })) }),
  ),
});

const Kwh = Type.Object({ before: Type.Number(), after: Type.Number() });

const { nights, days } = publicationBounds.compared;
const Darker = Type.Integer({
  description: `Lamps that are darker for a minute than by what they follow now, in one of the first ${nights} nights or, of ${days} lighting days, in a night for each two programmes that meet.`,
});

export const PublicationPreview = Type.Object({
  scheme: Nullable(Version),
  template: Nullable(Version),
  effectiveFrom: Type.String(),
  /** The current lighting day: asked for as the first one, lamps follow it as soon as they are told. */
  lightingDay: Type.String(),
  lamps: Type.Integer(),
  /** Follow something else after it. */
  changed: Type.Integer(),
  cannot: Type.Array(Type.Object({ reason: Type.Enum(itemReasons), count: Type.Integer() })),
  darkens: Darker,
  /** A second person would have to agree. */
  needsSecond: Type.Boolean(),
  /** Per night, calculated. */
  kwh: Kwh,
  findings: Type.Array(PublicationFinding),
});

export const ConfirmCount = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description:
      'Instead of a second person, where no other account could approve: the number of lamps that the refusal `countNeeded` contains.',
  }),
);

const Decision = Type.Object({ by: Type.String(), at: Timestamp, reason: Nullable(Type.String()) });

export const PublicationSummary = Type.Object({
  id: Type.Integer(),
  phase: PublicationPhase,
  phaseSince: Timestamp,
  scheme: Nullable(Version),
  template: Nullable(Version),
  /** As asked, with the names of what it names; for a caller who does not see every lamp `devices` alone. */
  scope: Type.Object({
    roadIds: Type.Optional(Type.Array(Type.Integer())),
    groupIds: Type.Optional(Type.Array(Type.Integer())),
    controllerIds: Type.Optional(Type.Array(Type.Integer())),
    workAreaId: Type.Optional(Type.Integer()),
    /** How many were named. */
    devices: Type.Optional(Type.Integer()),
    names: Type.Optional(Type.Array(Type.String())),
  }),
  effectiveFrom: Type.String(),
  canary: Nullable(Type.Object({ count: Type.Integer() })),
  goOn: Type.Boolean(),
  autoRevert: Type.Boolean(),
  criteria: PublicationCriteria,
  reason: Nullable(Type.String()),
  actorName: Type.String(),
  createdAt: Timestamp,
  endedAt: Nullable(Timestamp),
  total: Type.Integer(),
  /** The caller sees every lamp of it. */
  whole: Type.Boolean(),
  /** Lamps by state; states without lamps are absent. */
  states: Type.Record(Type.String(), Type.Integer()),
  darkens: Type.Integer(),
  /** What was found, and accepted, when it was made. */
  findings: Type.Array(PublicationFinding),
  approval: Nullable(
    Type.Object({
      outcome: Type.Enum(approvalOutcomes),
      expiresAt: Timestamp,
      decision: Nullable(Decision),
      /** Why this caller cannot decide; null: it can. */
      hindrance: Nullable(Type.Enum(['own', 'permission', 'area', 'decided', 'expired'])),
    }),
  ),
  halted: Nullable(
    Type.Object({
      why: Type.Enum(['canary', 'person']),
      at: Timestamp,
      by: Nullable(Type.String()),
      reason: Nullable(Type.String()),
    }),
  ),
  /** What the first part showed; null: not judged yet. Percentages null: there was no such lamp, or no reading of any. */
  judged: Nullable(
    Type.Object({
      passed: Type.Boolean(),
      at: Timestamp,
      reportedPercent: Nullable(Type.Number()),
      provenPercent: Nullable(Type.Number()),
      /** Of lamps that were to be lit both times, those that were, and those in the night before. */
      litPercent: Nullable(Type.Number()),
      litBeforePercent: Nullable(Type.Number()),
      newAlarms: Type.Integer(),
      /** What it failed by; absent: from before that was kept. */
      failed: Type.Optional(Type.Array(Type.Enum(firstPartFailures))),
    }),
  ),
  /** The publication that this one takes back, and the one that takes this one back. */
  reverts: Nullable(Type.Integer()),
  revertedBy: Nullable(Type.Integer()),
});

export const PublicationItem = Type.Object({
  deviceId: Type.Integer(),
  code: Type.String(),
  name: Nullable(Type.String()),
  roadId: Nullable(Type.Integer()),
  roadName: Nullable(Type.String()),
  canary: Type.Boolean(),
  state: ItemState,
  /**
   * The hash by which the lamp reports the plan, as it was when it was told or, until it said so, as it is this month;
   * and the one that it reported last.
   */
  planHash: Nullable(PlanHash),
  reportedHash: Nullable(PlanHash),
  toldAt: Nullable(Timestamp),
  reportedAt: Nullable(Timestamp),
  provenAt: Nullable(Timestamp),
  /** The planned step that was judged last; levels in percent. `observed` null: no reading. */
  proof: Nullable(
    Type.Object({
      stepAt: Timestamp,
      expected: Type.Number(),
      observed: Nullable(Type.Number()),
      readingAt: Nullable(Timestamp),
      /** Planned steps at which it did otherwise. */
      misses: Type.Integer(),
    }),
  ),
  /** When the lamp was last heard of. */
  heardAt: Nullable(Timestamp),
  reason: Nullable(Type.Enum(itemReasons)),
});

const tag = 'publications';
const PhaseReply = Type.Object({ id: Type.Integer(), phase: PublicationPhase });
const bigBody = { bytes: 512 * 1024, entries: publicationBounds.devices + 2000 } as const;

export const previewPublication = route({
  method: 'POST',
  path: '/api/v1/publications/preview',
  refuses: ['notFound'],
  limits: bigBody,
  tag,
  dryRun: 'changes nothing',
  access: 'plan.publish',
  logged: false,
  inPreview: true,
  areaScoped: true,
  summary: 'What a publication would do: lamps that change, cannot, or are darker, energy, findings. Changes nothing.',
  body: Type.Object({
    ...asked,
    /** Findings of this code name all of their lamps, at most `findingLamps.all`. */
    lampsOf: Type.Optional(Type.Enum(findingCodes)),
  }),
  reply: PublicationPreview,
});

export const createPublication = route({
  method: 'POST',
  path: '/api/v1/publications',
  refuses: ['notFound', 'requestIdReused', 'lampInPublication', 'findingsBlock', 'findingsNotAccepted', 'countNeeded'],
  limits: bigBody,
  tag,
  dryRun: true,
  access: 'plan.publish',
  action: 'publication.start',
  areaScoped: true,
  status: 201,
  summary:
    'Publishes a version to lamps; groups are expanded at this moment. Answers at once; follow it by id. Above the limit for darkened lamps a second person has to agree.',
  body: Type.Object({
    ...asked,
    /** Null: all lamps at once. */
    canary: Type.Optional(Nullable(PublicationCanary)),
    /** Goes on by itself when the first part passed; else a person does. Default: false. */
    goOn: Type.Optional(Type.Boolean()),
    /** Default: true. */
    autoRevert: Type.Optional(Type.Boolean()),
    criteria: Type.Optional(Type.Partial(PublicationCriteria)),
    reason: Type.Optional(Nullable(Type.String({ maxLength: publicationBounds.reason }))),
    /** Codes of the warnings that were read. */
    acceptedFindings: Type.Optional(
      Type.Array(Type.Enum(findingCodes), { maxItems: findingCodes.length, uniqueItems: true }),
    ),
    confirmCount: ConfirmCount,
    requestId: Type.Optional(
      Type.String({
        format: 'uuid',
        maxLength: 36,
        description: 'Chosen by the caller. The same request sent again is answered with the publication it created.',
      }),
    ),
  }),
  reply: Type.Object({ id: Type.Integer(), total: Type.Integer(), phase: PublicationPhase }),
});

const pages = { page: Type.Optional(Page), size: Type.Optional(Size()) } as const;
const Words = Type.String({
  pattern: '^[a-zA-Z]+(,[a-zA-Z]+)*$',
  maxLength: 200,
  description: 'One or several, comma-separated.',
});

/** Of the list of publications. */
export const PublicationFilters = Type.Object({
  /** Phases. */
  state: Type.Optional(Words),
  /** Part of the code or name of the scheme or template, or of the name of the publisher. */
  q: Type.Optional(Type.String({ maxLength: 60 })),
  /** What became of the approval; those that needed none are left out. */
  approval: Type.Optional(Words),
});

export const listPublications = route({
  method: 'GET',
  path: '/api/v1/publications',
  tag,
  access: ['plan.query', 'lamp.approve'],
  areaScoped: true,
  summary: 'Publications that reach lamps of the caller, newest first.',
  query: Type.Object({ ...PublicationFilters.properties, ...pages }),
  reply: listOf(PublicationSummary),
});

/** Of the lamps of a publication. */
export const PublicationLampFilters = Type.Object({
  /** States of lamps. */
  state: Type.Optional(Words),
  /** Part of the code or the name of a lamp. */
  q: Type.Optional(Type.String({ maxLength: 60 })),
  roadId: Type.Optional(Id),
  canary: Type.Optional(Type.Boolean()),
});

export const getPublication = route({
  method: 'GET',
  path: '/api/v1/publications/:id',
  tag,
  access: ['plan.query', 'lamp.approve'],
  areaScoped: true,
  summary: 'One publication: funnel by state and by road, and its lamps; `recordsTotal` counts those of the filter.',
  params: IdParams,
  query: Type.Object({ ...PublicationLampFilters.properties, ...pages }),
  reply: Type.Interface([PublicationSummary], {
    /**
     * Planned switches at which lamps that were told and are not proven will be proven, by their own places: the first
     * lamp's and the last one's. A `first` that has passed: readings of it are still waited for. Null: no lamp waits.
     */
    nextProof: Nullable(Type.Object({ first: Timestamp, last: Timestamp })),
    roads: Type.Array(
      Type.Object({
        /** Null: lamps of no road. */
        roadId: Nullable(Type.Integer()),
        name: Nullable(Type.String()),
        total: Type.Integer(),
        states: Type.Record(Type.String(), Type.Integer()),
      }),
    ),
    items: Type.Array(PublicationItem),
    recordsTotal: Type.Integer(),
  }),
});

export const decidePublication = route({
  method: 'POST',
  path: '/api/v1/publications/:id/decide',
  refuses: ['notAwaitingApproval', 'ownCommand', 'approvalExpired', 'reasonNeeded'],
  tag,
  dryRun: true,
  access: 'lamp.approve',
  action: byBody('publication.decide', ({ approved }) =>
    approved === true ? 'publication.approve' : 'publication.refuse',
  ),
  areaScoped: true,
  summary:
    'A second person agrees, or refuses with a reason. The publisher cannot; nor can who does not see every lamp.',
  params: IdParams,
  body: Type.Object({
    approved: Type.Boolean(),
    reason: Type.Optional(Nullable(Type.String({ maxLength: publicationBounds.reason }))),
  }),
  reply: PhaseReply,
});

export const resumePublication = route({
  method: 'POST',
  path: '/api/v1/publications/:id/resume',
  refuses: ['publicationPhase'],
  tag,
  dryRun: true,
  access: 'plan.publish',
  action: 'publication.resume',
  areaScoped: true,
  summary: 'Goes on: after the first part has passed, or with what was halted.',
  params: IdParams,
  body: Type.Object({ reason: Type.Optional(Nullable(Type.String({ maxLength: publicationBounds.reason }))) }),
  reply: PhaseReply,
});

export const haltPublication = route({
  method: 'POST',
  path: '/api/v1/publications/:id/halt',
  refuses: ['publicationPhase'],
  tag,
  dryRun: true,
  access: 'plan.publish',
  action: 'publication.halt',
  areaScoped: true,
  summary: 'Stops telling lamps; those that were told keep what they were told.',
  params: IdParams,
  body: Type.Object({ reason: Reason }),
  reply: PhaseReply,
});

export const revertPublication = route({
  method: 'POST',
  path: '/api/v1/publications/:id/revert',
  refuses: ['publicationPhase', 'lampInPublication', 'countNeeded'],
  tag,
  dryRun: true,
  access: 'plan.publish',
  action: 'publication.revert',
  areaScoped: true,
  summary:
    'Publishes to the lamps that were told what they followed before, as a new publication. When the publication is done and more lamps than allowed would be darker, a second person has to agree first, as for any publication.',
  params: IdParams,
  body: Type.Object({ reason: Reason, confirmCount: ConfirmCount }),
  /** `revertId`: the new publication; `phase`: the one that this one has now, `done` while a second person is asked. */
  reply: Type.Object({
    id: Type.Integer(),
    phase: PublicationPhase,
    revertId: Type.Integer(),
    /** Its lamps, and how many of them are darker than by what they follow now. */
    lamps: Type.Integer(),
    darker: Type.Integer(),
  }),
});

export const cancelPublication = route({
  method: 'POST',
  path: '/api/v1/publications/:id/cancel',
  refuses: ['publicationPhase'],
  tag,
  dryRun: true,
  access: 'plan.publish',
  action: 'publication.cancel',
  areaScoped: true,
  summary: 'Gives a publication up of which no lamp was told anything; else it is halted and reverted.',
  params: IdParams,
  body: Type.Object({ reason: Reason }),
  reply: PhaseReply,
});
