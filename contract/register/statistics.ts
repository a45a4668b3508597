import { Type } from 'typebox';
import { IdList, Nullable, Page, Size, Timestamp, route, xlsx } from '../route.ts';

/**
 * Figures of the register, counted from rows: what there is, where, how old, of which vendor, in which state; and what
 * each controller carries.
 */

/** Lower bounds of years since installation; the last one is open. */
export const ageYears = [0, 1, 3, 5, 8, 10] as const;
export const figureNames = ['families', 'workAreas', 'roads', 'ages', 'vendors', 'states'] as const;
/** Limit of groups in a figure; the rest is summed up. */
export const mostGroups = 200;

const Figure = Type.Object({
  /**
   * The largest first, ages in order. `key`: family, id of the work area or road, lower bound of the age in years
   * (`future`: installed later than today), vendor, state (`online` for families other than lamps). null: not given,
   * or, for a state, the family reports nothing. `label`: name of the row, or else null.
   */
  groups: Type.Array(
    Type.Object({ key: Nullable(Type.String()), label: Nullable(Type.String()), count: Type.Integer() }),
  ),
  /** The groups beyond the limit, and their devices. */
  omitted: Type.Object({ groups: Type.Integer(), count: Type.Integer() }),
});

const ids = IdList;
const filters = {
  /** Several, comma-separated, as in lists. */
  family: Type.Optional(Type.String({ maxLength: 1000 })),
  workId: Type.Optional(ids),
  roadId: Type.Optional(ids),
  status: Type.Optional(Type.Enum(['enabled', 'disabled'] as const)),
};
export const StatisticsFilters = Type.Object(filters);

export const getAssetStatistics = route({
  method: 'GET',
  path: '/api/v1/asset-statistics',
  tag: 'statistics',
  access: 'device.query',
  areaScoped: true,
  summary:
    'How many devices there are by family, work area, road, age, vendor and state, of those the caller sees and the filters leave.',
  query: StatisticsFilters,
  reply: Type.Object({
    at: Timestamp,
    total: Type.Integer(),
    enabled: Type.Integer(),
    families: Figure,
    workAreas: Figure,
    roads: Figure,
    ages: Figure,
    vendors: Figure,
    states: Figure,
  }),
});

/** Days over which the online time of the link to the broker is counted. */
export const onlineDays = 30;

export const ControllerStatistics = Type.Object({
  id: Type.Integer(),
  family: Type.String(),
  code: Type.String(),
  name: Nullable(Type.String()),
  workAreaName: Type.String(),
  roadName: Nullable(Type.String()),
  /** null: the device was never judged. */
  state: Nullable(Type.String()),
  /** Lamps that speak through it; null: its family has none. */
  lamps: Nullable(Type.Integer()),
  /** Loops it has reported, and those with a closed contactor in its latest reading; null: it has reported none. */
  loops: Nullable(Type.Integer()),
  closedLoops: Nullable(Type.Integer()),
  /**
   * Seconds of the last 30 days in which its link to the broker is known, and in which it was up; null: it never
   * connected by itself.
   */
  knownSeconds: Nullable(Type.Integer()),
  onlineSeconds: Nullable(Type.Integer()),
});

export const listControllerStatistics = route({
  method: 'GET',
  path: '/api/v1/asset-statistics/controllers',
  tag: 'statistics',
  access: 'device.query',
  areaScoped: true,
  summary:
    'Central and time controllers with their lamps, their loops and how long they were online in the last 30 days; by code.',
  query: Type.Object({
    ...filters,
    page: Type.Optional(Page),
    size: Type.Optional(Size(100)),
  }),
  reply: Type.Object({ data: Type.Array(ControllerStatistics), recordsTotal: Type.Integer() }),
});

export const getAssetStatisticsFile = route({
  method: 'GET',
  path: '/api/v1/asset-statistics/file',
  tag: 'statistics',
  access: 'device.export',
  areaScoped: true,
  replyKind: 'file',
  sends: [xlsx],
  summary: 'The same figures as a workbook, one sheet each, with the first 10,000 controllers.',
  query: StatisticsFilters,
  reply: Type.Unknown(),
});

/** What expires on a day, and within how many days from today; `past`: it expired before today. */
export const expiringFields = ['warrantyUntil', 'simExpiry'] as const;
export const expirySpans = ['past', '30', '60', '90', '180'] as const;

export const Expiry = Type.Object({
  id: Type.Integer(),
  family: Type.String(),
  code: Type.String(),
  name: Nullable(Type.String()),
  workAreaName: Type.String(),
  roadName: Nullable(Type.String()),
  manufacturer: Nullable(Type.String()),
  model: Nullable(Type.String()),
  simNum: Nullable(Type.String()),
  /** The last valid day. */
  day: Type.String(),
  /** Days from today, where the device stands, to that day; negative: it is over. */
  days: Type.Integer(),
});
const expiryQuery = { ...filters, field: Type.Enum(expiringFields), within: Type.Enum(expirySpans) };
export const ExpiryFilters = Type.Object(expiryQuery);

export const listExpiries = route({
  method: 'GET',
  path: '/api/v1/asset-statistics/expiries',
  tag: 'statistics',
  access: 'device.query',
  areaScoped: true,
  summary:
    'Devices whose warranty or SIM card ends within a number of days (today included), earliest first, or has ended, latest first; and the count of each. Days are those of the project’s time zone.',
  query: Type.Object({ ...expiryQuery, page: Type.Optional(Page), size: Type.Optional(Size(100)) }),
  reply: Type.Object({
    data: Type.Array(Expiry),
    recordsTotal: Type.Integer(),
    counts: Type.Object({
      past: Type.Integer(),
      30: Type.Integer(),
      60: Type.Integer(),
      90: Type.Integer(),
      180: Type.Integer(),
    }),
  }),
});
