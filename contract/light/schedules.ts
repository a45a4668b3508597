import { Type } from 'typebox';
import type { Schedule } from '../../catalogue/lighting/plan/schedule.ts';
import { planLimits } from '../../catalogue/lighting/limits.ts';
import { rotations } from '../../catalogue/lighting/plan/programme.ts';
import { IdParams, Nullable, Timestamp, route } from '../route.ts';
import { PublicationPreview, createPublication, lampScope, publicationBounds } from './publications.ts';
import { PlanHash, givenContent } from './versioned.ts';

/**
 * Schedule settings (时间表设置): lamps get a programme of their own by one form. It is kept as a version that no list
 * has, and reaches them by a publication, which proves it, waits for a second person and can be taken back as any other.
 */

/** Where the lamp's place is taken from. `given`: the numbers of the form. `pole`, `area`: taken over from there. */
export const placeSources = ['given', 'pole', 'area'] as const;

export const scheduleBounds = {
  /** Lamps whose place is set at once, and of these that an answer lists. */
  places: 2000,
  listed: 50,
  /** From a lamp's pole, or from its area where the pole has no place: its sun moves by three minutes at most. */
  placeKilometres: 50,
} as const;

const tag = 'schedules';
const bigBody = { bytes: 512 * 1024, entries: publicationBounds.devices + 2000 } as const;
/** `catalogue/lighting/plan/schedule.ts` checks it, each field with its limits. */
const Given = givenContent<Schedule>('ScheduleSettings');

const asked = {
  /** The lamps of any of these, as they are at this moment. */
  scope: lampScope(0),
  schedule: Given,
  /** Why it is darker than the floor of the lamps' road class; without it such settings are refused. */
  floorReason: Type.Optional(
    Nullable(Type.String({ minLength: planLimits.floorReason.min, maxLength: planLimits.floorReason.max })),
  ),
} as const;

export const previewSchedule = route({
  method: 'POST',
  dryRun: 'changes nothing',
  path: '/api/v1/schedules/preview',
  refuses: ['notFound', 'tooManyDevices', 'noDevices'],
  limits: bigBody,
  tag,
  access: 'plan.publish',
  logged: false,
  inPreview: true,
  areaScoped: true,
  summary: 'What schedule settings would do: lamps that change, cannot, or are darker, findings. Changes nothing.',
  body: Type.Object(asked),
  reply: PublicationPreview,
});

const { acceptedFindings, reason, confirmCount, requestId } = createPublication.body.properties;

export const createSchedule = route({
  method: 'POST',
  dryRun: true,
  path: '/api/v1/schedules',
  refuses: [
    'notFound',
    'tooManyDevices',
    'noDevices',
    'devicesDisabled',
    'requestIdReused',
    'lampInPublication',
    'findingsBlock',
    'findingsNotAccepted',
    'countNeeded',
    'reasonNeeded',
  ],
  limits: bigBody,
  tag,
  access: 'plan.publish',
  action: 'schedule.set',
  areaScoped: true,
  status: 201,
  summary:
    'Gives lamps a time table of their own and publishes it to all of them at once; the answer is the publication. A scheme that is published later replaces it.',
  body: Type.Object({ ...asked, acceptedFindings, reason, confirmCount, requestId }),
  reply: createPublication.reply,
});

const Coordinates = Type.Object({ latitude: Type.Number(), longitude: Type.Number() });
const Steps = Type.Array(Type.Object({ at: Timestamp, level: Type.Number() }));
const Table = {
  /** Null: none. */
  planHash: Nullable(PlanHash),
  /** Its night of the current lighting day; null: nobody knows it. */
  night: Nullable(Steps),
} as const;
const SchemeVersion = Type.Object({
  id: Type.Integer(),
  code: Type.String(),
  name: Type.String(),
  number: Type.Integer(),
});

export const getLampSchedule = route({
  method: 'GET',
  path: '/api/v1/lamps/:id/schedule',
  refuses: ['notFound'],
  tag,
  access: ['plan.query', 'plan.publish'],
  areaScoped: true,
  summary:
    'The time table of a lamp: the settings in force, where they come from, where the lamp stands, and what it was sent beside what it says that it runs.',
  params: IdParams,
  reply: Type.Object({
    id: Type.Integer(),
    code: Type.String(),
    name: Nullable(Type.String()),
    day: Nullable(Type.String()),
    /** In force on this lighting day; `exact` false: the form cannot say all that the programme does. */
    schedule: Given,
    exact: Type.Boolean(),
    /** Settings of its own; null: it follows a scheme, its template or the sun. `lamps`: that still follow them, as far as the caller sees. */
    own: Nullable(
      Type.Object({
        by: Type.String(),
        at: Timestamp,
        publicationId: Nullable(Type.Integer()),
        lamps: Type.Integer(),
      }),
    ),
    /** The scheme that it follows, or would without settings of its own; null: none. */
    scheme: Nullable(SchemeVersion),
    /** The publication that still speaks to it; null: none. */
    publicationId: Nullable(Type.Integer()),
    place: Type.Object({
      /** What its sun is reckoned by; null: nobody knows where it stands. */
      used: Nullable(Coordinates),
      /** `published`: its records were moved far from where its plan was given, and move its night with the next publication. */
      source: Nullable(Type.Enum(['template', 'lamp', 'pole', 'area', 'published'])),
      /** So many kilometres the records are from what is used; null: it goes by them. */
      away: Nullable(Type.Integer()),
      lamp: Nullable(Coordinates),
      pole: Nullable(Coordinates),
      area: Nullable(Coordinates),
      timeZone: Type.String(),
      sunOffsetMinutes: Type.Number(),
    }),
    /** Its place in the row. */
    role: Type.Object({
      position: Nullable(Type.Integer()),
      rowLength: Type.Integer(),
      right: Type.Boolean(),
      keep: Type.Boolean(),
      minLevel: Type.Number(),
      rotation: Type.Enum(rotations),
    }),
    /** What it was sent. */
    told: Type.Object({ ...Table, at: Nullable(Timestamp) }),
    /** What it says that it runs, in its last reading at `at`. `knowsPlans` false: it goes by the table alone. */
    device: Type.Object({ ...Table, at: Nullable(Timestamp), knowsPlans: Type.Boolean() }),
    /** Null: it has said nothing of plans. */
    equal: Nullable(Type.Boolean()),
  }),
});

const Degrees = Type.Number({ minimum: -1000, maximum: 1000 });
const place = {
  scope: lampScope(0),
  source: Type.Enum(placeSources),
  /**
   * Of `given`, degrees of WGS-84. Numbers that are no place are answered by the rules of the call, and so is a place more
   * than 50 km from the pole of any of the lamps, or from its area where the pole has none: it would move its night.
   */
  latitude: Type.Optional(Nullable(Degrees)),
  longitude: Type.Optional(Nullable(Degrees)),
} as const;

const Tonight = Type.Object({ on: Nullable(Timestamp), off: Nullable(Timestamp) });
const Moved = Type.Object({
  deviceId: Type.Integer(),
  code: Type.String(),
  before: Nullable(Coordinates),
  after: Nullable(Coordinates),
  tonightBefore: Tonight,
  tonightAfter: Tonight,
});
const counts = {
  lamps: Type.Integer(),
  /** Whose record becomes another. */
  changed: Type.Integer(),
  /** Their pole or area has no place: they stay as they are. */
  without: Type.Integer(),
} as const;

export const previewLampPlaces = route({
  method: 'POST',
  dryRun: 'changes nothing',
  path: '/api/v1/lamp-places/preview',
  refuses: ['notFound', 'tooManyDevices', 'noDevices'],
  limits: bigBody,
  tag,
  access: 'device.edit',
  logged: false,
  inPreview: true,
  areaScoped: true,
  summary: "What another latitude and longitude would change: the lamps' records, and when they are switched tonight.",
  body: Type.Object(place),
  reply: Type.Object({
    ...counts,
    /** The first lamps that change. */
    moved: Type.Array(Moved),
  }),
});

export const setLampPlaces = route({
  method: 'PUT',
  dryRun: true,
  path: '/api/v1/lamp-places',
  refuses: ['notFound', 'tooManyDevices', 'noDevices'],
  limits: bigBody,
  tag,
  access: 'device.edit',
  action: 'lampPlace.set',
  areaScoped: true,
  summary: 'Sets latitude and longitude of lamps, or takes them over from their pole or area. All lamps or none.',
  body: Type.Object(place),
  reply: Type.Object(counts),
});
