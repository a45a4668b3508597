import { Type } from 'typebox';
import { findingCodes } from '../../catalogue/lighting/plan/findings.ts';
import { testNightKinds } from '../../catalogue/lighting/plan/test-nights.ts';
import { yearSides } from '../../catalogue/lighting/plan/year-input.ts';
import { Day, Id, IdParams, Nullable, Page, Size, Timestamp, listOf, route } from '../route.ts';
import { Task } from '../desk/tasks.ts';
import { VersionParams } from './versioned.ts';

/** The difference of two plans over up to a year: levels, energy, switching, and what is found in their nights. */

export const simulationBounds = {
  /** Lighting days from `from` to `to`, both included. */
  nights: 366,
  /** Lighting days from today to the first one, back and ahead. */
  daysBack: 366,
  daysAhead: 366,
  lamps: 1_000_000,
  /** Things of a kind, and devices, that a scope names. */
  places: 200,
  devices: 20_000,
} as const;

const Ids = (most: number = simulationBounds.places) =>
  Type.Optional(Type.Array(Id, { minItems: 1, maxItems: most, uniqueItems: true }));

/** The lamps of any of these; without members: every lamp that the caller sees. */
export const LampScope = Type.Object(
  {
    roadIds: Ids(),
    groupIds: Ids(),
    controllerIds: Ids(),
    workAreaId: Type.Optional(Id),
    deviceIds: Ids(simulationBounds.devices),
  },
  { additionalProperties: false },
);

const Side = Type.Enum([...yearSides]);
const { number } = VersionParams.properties;
const Rate = (maximum: number) => Type.Optional(Nullable(Type.Number({ minimum: 0, maximum })));

const Asked = {
  scope: LampScope,
  from: Day,
  to: Day,
  /** Absent: what each lamp follows. */
  a: Type.Optional(Type.Object({ schemeId: Id, number })),
  /** Without `number`: the draft, or the newest version where there is no draft. */
  b: Type.Object({ schemeId: Id, number: Type.Optional(number) }),
  /** Price of a kilowatt-hour, in the currency of the site; kilograms of CO₂ for it. */
  pricePerKwh: Rate(1000),
  kgCo2PerKwh: Rate(10),
} as const;

const Sums = Type.Object({
  kwh: Type.Number(),
  /** Hours with light, and how often lamps go on: all lamps together. */
  hours: Type.Number(),
  switches: Type.Integer(),
  /** Null: no price, no factor was given. */
  cost: Nullable(Type.Number()),
  kgCo2: Nullable(Type.Number()),
});

const Finding = Type.Object({
  /** Its place in the list. */
  place: Type.Integer(),
  side: Side,
  code: Type.Enum(findingCodes),
  /** An `error` cannot be published, a `warning` needs a yes, a `note` is to be known. */
  severity: Type.Enum(['error', 'warning', 'note']),
  /** Code and version of the plan; name of the programme or of the rule; place of the period, from 0. */
  plan: Nullable(Type.String()),
  programme: Nullable(Type.String()),
  period: Nullable(Type.Integer()),
  roadClass: Nullable(Type.String()),
  /** Nights and hours of the lamp with the most; `of`: nights of the programme in the span. */
  nights: Type.Integer(),
  of: Nullable(Type.Integer()),
  hours: Nullable(Type.Number()),
  first: Type.String(),
  lamps: Type.Integer(),
});

/** The levels of a night by the wall clock, `HH:MM`; the last one is 0. */
const Steps = Type.Array(Type.Object({ at: Type.String(), level: Type.Number() }));

const Result = Type.Object({
  lamps: Type.Integer(),
  /** Of the scope, but left out: nobody knows where they stand. */
  withoutPlace: Type.Integer(),
  /** Whose watts are learned from readings of their model, by their nameplate, or not known (taken as 0). */
  watts: Type.Object({ learned: Type.Integer(), nameplate: Type.Integer(), unknown: Type.Integer() }),
  days: Type.Integer(),
  /**
   * Mean level of each cell of ten minutes, day by day from `from`, 144 a day from noon on by the wall clock, as bytes
   * in base64: half percents; 255 where daylight saving skips the time.
   */
  levels: Type.Object({ a: Type.String(), b: Type.String() }),
  months: Type.Array(Type.Object({ month: Type.String(), nights: Type.Integer(), a: Sums, b: Sums })),
  total: Type.Object({ a: Sums, b: Sums }),
  /** Errors first, then by the number of lamps. */
  findings: Type.Array(Finding),
  /** Of the plans that most lamps of the scope follow. */
  testNights: Type.Array(Type.Object({ kind: Type.Enum([...testNightKinds]), day: Type.String(), a: Steps, b: Steps })),
  madeAt: Timestamp,
});

const Version = Type.Object({
  schemeId: Type.Integer(),
  code: Type.String(),
  name: Type.String(),
  /** Null: a draft, as it was when the simulation began. */
  number: Nullable(Type.Integer()),
});

export const Simulation = Type.Object({
  id: Type.Integer(),
  createdAt: Timestamp,
  scope: LampScope,
  from: Type.String(),
  to: Type.String(),
  /** Null: what each lamp follows. */
  a: Nullable(Version),
  b: Version,
  pricePerKwh: Nullable(Type.Number()),
  kgCo2PerKwh: Nullable(Type.Number()),
  /** Progress and failure; null: the task was removed. */
  task: Nullable(Task),
  /** Null: not there yet. */
  result: Nullable(Result),
});

const tag = 'simulations';

export const simulatePlans = route({
  method: 'POST',
  path: '/api/v1/plan-simulations',
  tag,
  dryRun: 'makes a task',
  access: 'plan.query',
  action: 'plan.simulate',
  areaScoped: true,
  status: 201,
  refuses: ['notFound', 'noDevices', 'tooManyDevices', 'noDraft'],
  limits: { bytes: 512 * 1024, entries: 25_000 },
  summary:
    'Begins the difference of two plans over up to 366 nights, as a task. What was computed before of the same lamps, plans and days is taken from there.',
  body: Type.Object(Asked),
  reply: Simulation,
});

export const getSimulation = route({
  method: 'GET',
  path: '/api/v1/plan-simulations/:id',
  tag,
  access: 'plan.query',
  refuses: ['notFound'],
  summary: 'An own simulation, with its result once the task is done. Kept for 7 days.',
  params: IdParams,
  reply: Simulation,
});

export const listFindingLamps = route({
  method: 'GET',
  path: '/api/v1/plan-simulations/:id/findings/:place/lamps',
  tag,
  access: 'plan.query',
  areaScoped: true,
  refuses: ['notFound'],
  summary: 'The lamps of a finding of an own simulation, as far as the caller sees them now.',
  params: Type.Object({ id: Id, place: Type.Integer({ minimum: 0, maximum: 100_000 }) }),
  query: Type.Object({ page: Type.Optional(Page), size: Type.Optional(Size(200)) }),
  reply: listOf(
    Type.Object({
      id: Type.Integer(),
      code: Type.String(),
      name: Nullable(Type.String()),
      roadId: Nullable(Type.Integer()),
      roadName: Nullable(Type.String()),
    }),
  ),
});
