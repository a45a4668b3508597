import { Type } from 'typebox';
import { planModes } from '../../catalogue/lighting/plan/programme.ts';
import { nightOutcomes, nightReasons } from '../../catalogue/lighting/nights.ts';
import { Day, Id, Nullable, Page, Size, Timestamp, listOf, route } from '../route.ts';

/**
 * Nights of lamps by their plans: before dusk which will probably not light (the rehearsal), the morning after which ran
 * the plan (the report). A night is named by the lighting day of its evening. Counts are those of whole work areas.
 */

/**
 * `planned`: it begins an hour before the earliest planned switch-on. `asking`, `asked`: lamps that should be lit are
 * asked for a reading. `listing`, `listed`: 20 minutes before the switch-on there is the list; late answers shorten it.
 * `over`: lamps went on. `skipped`: there was no time for it.
 */
export const rehearsalPhases = ['planned', 'asking', 'asked', 'listing', 'listed', 'over', 'skipped'] as const;
export const reportPhases = ['planned', 'counting', 'done'] as const;
export const nightParts = ['rehearsal', 'report'] as const;

const Counts = Type.Object({
  /** Enabled lamps; the sum of the outcomes. */
  lamps: Type.Integer(),
  ran: Type.Integer(),
  diverged: Type.Integer(),
  away: Type.Integer(),
  silent: Type.Integer(),
  plannedDark: Type.Integer(),
  notJudged: Type.Integer(),
});

export const NightRehearsal = Type.Object({
  /** Of several work areas the one that is least far. */
  phase: Type.Enum(rehearsalPhases),
  /** The earliest planned switch-on; null: no lamp is lit, or nobody looked yet. */
  firstOn: Nullable(Timestamp),
  askedAt: Nullable(Timestamp),
  listedAt: Nullable(Timestamp),
  /** Lamps that are to be lit, and those of them that have no power before dusk: nobody can ask them. */
  lit: Type.Integer(),
  unasked: Type.Integer(),
  /** Lamps that will probably not light. */
  dark: Type.Integer(),
});

const NightFigures = Type.Object({
  report: Type.Enum(reportPhases),
  reportedAt: Nullable(Timestamp),
  counts: Counts,
  rehearsal: NightRehearsal,
});

export const NightSummary = Type.Interface([NightFigures], { day: Type.String(), areas: Type.Integer() });

const NightArea = Type.Interface([NightFigures], {
  workAreaId: Type.Integer(),
  name: Type.String(),
  timeZone: Type.String(),
  /** The command that asked the lamps; null: none was asked. */
  commandId: Nullable(Type.Integer()),
});

const NightLamp = Type.Object({
  deviceId: Type.Integer(),
  code: Type.String(),
  name: Nullable(Type.String()),
  workAreaId: Type.Integer(),
  areaName: Type.String(),
  roadName: Nullable(Type.String()),
  outcome: Type.Enum(['dark', ...nightOutcomes]),
  /** Null: there is nothing to say why for. */
  reason: Nullable(Type.Enum(nightReasons)),
  /** Since when that is so; codes of faults, the hash that the lamp reports, the number of a command. */
  since: Nullable(Timestamp),
  detail: Nullable(Type.String()),
  /** The first planned step that it did not do; levels in percent. `observed` null: no reading. */
  stepAt: Nullable(Timestamp),
  expected: Nullable(Type.Number()),
  observed: Nullable(Type.Number()),
  readingAt: Nullable(Timestamp),
  misses: Type.Integer(),
});

const tag = 'nights';
const pages = { page: Type.Optional(Page), size: Type.Optional(Size()) } as const;
const DayParams = Type.Object({ day: Day });

export const listNights = route({
  method: 'GET',
  path: '/api/v1/plan-nights',
  tag,
  access: 'plan.query',
  areaScoped: true,
  summary: 'Nights of the caller’s work areas, the latest first: how many lamps ran their plan, and the rehearsals.',
  query: Type.Object({ ...pages }),
  reply: listOf(NightSummary),
});

export const getNight = route({
  method: 'GET',
  path: '/api/v1/plan-nights/:day',
  refuses: ['notFound'],
  tag,
  access: 'plan.query',
  areaScoped: true,
  summary: 'One night: its report and its rehearsal, in total and by work area, and the failures by their reason.',
  params: DayParams,
  reply: Type.Interface([NightSummary], {
    byArea: Type.Array(NightArea),
    /** In their fixed order. */
    reasons: Type.Array(
      Type.Object({
        part: Type.Enum(nightParts),
        outcome: Type.Enum(['dark', ...nightOutcomes]),
        reason: Type.Enum(nightReasons),
        lamps: Type.Integer(),
      }),
    ),
  }),
});

export const NightLampFilter = Type.Object({
  /** Default: the report. */
  part: Type.Optional(Type.Enum(nightParts)),
  /** Of the report; absent: all that did not run the plan. */
  outcome: Type.Optional(Type.Enum(nightOutcomes)),
  reason: Type.Optional(Type.Enum(nightReasons)),
  areaId: Type.Optional(Id),
  /** Part of the code or the name of a lamp. */
  q: Type.Optional(Type.String({ maxLength: 60 })),
});

export const listNightLamps = route({
  method: 'GET',
  path: '/api/v1/plan-nights/:day/lamps',
  refuses: ['notFound'],
  tag,
  access: 'plan.query',
  areaScoped: true,
  summary:
    'Lamps of a night: those that will probably not light, or those of an outcome, by reason in its fixed order. Which lamps ran the plan is told of the lamps that the area has now.',
  params: DayParams,
  query: Type.Interface([NightLampFilter], pages),
  reply: listOf(NightLamp),
});

const TonightScheme = Type.Object({
  /** Null: lamps that switch by the sun of their area. */
  schemeId: Nullable(Type.Integer()),
  code: Nullable(Type.String()),
  name: Nullable(Type.String()),
  number: Nullable(Type.Integer()),
  mode: Nullable(Type.Enum(planModes)),
  lamps: Type.Integer(),
});

export const getTonight = route({
  method: 'GET',
  path: '/api/v1/home/tonight',
  tag: 'home',
  access: 'plan.query',
  areaScoped: true,
  summary:
    'What lamps do tonight: the plans in force with the lamps of each, exceptions, publications under way, lamps that are not on their plan, and the rehearsal.',
  reply: Type.Object({
    /** The lighting day of most of the caller’s lamps; null: they have no place. */
    day: Nullable(Type.String()),
    /** Those that most lamps follow. */
    schemes: Type.Array(TonightScheme, { maxItems: 20 }),
    /** Further versions of schemes, and their lamps. */
    moreSchemes: Type.Object({ schemes: Type.Integer(), lamps: Type.Integer() }),
    /** Lamps with settings of their own. */
    own: Type.Integer(),
    exceptions: Type.Object({ inForce: Type.Integer(), planned: Type.Integer(), lamps: Type.Integer() }),
    publications: Type.Object({
      /** `halted` of them wait for a decision. */
      underWay: Type.Integer(),
      halted: Type.Integer(),
      waiting: Type.Integer(),
      lamps: Type.Integer(),
    }),
    /** Lamps of which their newest publication found that they do otherwise, or cannot follow. */
    notOnPlan: Type.Object({
      lamps: Type.Integer(),
      /** The newest first, three at most. */
      publications: Type.Array(Type.Object({ id: Type.Integer(), lamps: Type.Integer() })),
    }),
    rehearsal: Nullable(NightRehearsal),
    /** The last night that was counted; null: none was. */
    lastNight: Nullable(Type.Interface([Counts], { day: Type.String() })),
  }),
});
