import { Type } from 'typebox';
import { HistoryExport, resolutions } from '../history.ts';
import { Day, Id, Nullable, Timestamp, route } from '../route.ts';
import { Task } from '../desk/tasks.ts';

/**
 * What devices measured, over any span: curves, energy, and how the history is kept. Instants inside of curves are
 * milliseconds since 1970: a picture may hold a hundred thousand of them.
 */

export const mostCurveDevices = 20;
export const mostCurveQuantities = 8;
export const mostCurvePoints = 2000;
/** So many values (points × devices × quantities) one answer holds; automatic resolution stays below. */
export const mostCurveValues = 160_000;
export const mostEnergyDevices = 200;

/**
 * Quality of a point, as readings carry it; of a stretch the worst in it. 0 measured, 1 estimated, 2 stale, 3 invalid.
 */
export const qualities = ['measured', 'estimated', 'stale', 'invalid'] as const;

const ids = (most: number) => Type.String({ pattern: `^\\d{1,15}(,\\d{1,15}){0,${most - 1}}$`, maxLength: most * 16 });
const keys = (most: number) =>
  Type.String({ pattern: `^[A-Za-z0-9]{1,40}(,[A-Za-z0-9]{1,40}){0,${most - 1}}$`, maxLength: most * 41 });
const see = ['lamp.monitor', 'device.query'] as const;

/**
 * How a curve is drawn: `measured` as a line with a band, `counter` as a line that only rises, `state` (switches 0/1,
 * choices by place) as steps.
 */
const CurveKind = Type.Enum(['measured', 'counter', 'state'] as const);

const QualityCounts = Type.Object({
  measured: Type.Integer(),
  estimated: Type.Integer(),
  stale: Type.Integer(),
  invalid: Type.Integer(),
});

export const CurveSeries = Type.Object({
  deviceId: Type.Integer(),
  quantity: Type.String(),
  kind: CurveKind,
  /** Key of the unit in the catalogue's names; null: none. */
  unit: Nullable(Type.String()),
  /** Of a choice: its words by place (keys of the catalogue's options); else null. */
  options: Nullable(Type.Array(Type.String())),
  /**
   * `[instant, value, least, greatest, readings, quality]`, ascending; the instant is that of the reading or the
   * beginning of the stretch. `value`: the mean, of counters and states the last one. `least`, `greatest`: null where
   * they are none (counters, states, readings). A reading whose value was out of its range: value null, quality 3.
   * Stretches without a reading are left out. Of counters and states `readings` counts all of a stretch.
   */
  points: Type.Array(
    Type.Tuple([
      Type.Number(),
      Nullable(Type.Number()),
      Nullable(Type.Number()),
      Nullable(Type.Number()),
      Type.Integer(),
      Type.Integer(),
    ]),
  ),
  /**
   * `[from, to]` in the same milliseconds, from the point before to the one after (or to the ends of the span):
   * stretches longer than three reporting periods of the family (and than one stretch of the resolution) without a
   * value. No line is drawn over them.
   */
  gaps: Type.Array(Type.Tuple([Type.Number(), Type.Number()])),
  /** How many readings had which quality, of those behind the points. */
  quality: QualityCounts,
});

export const getHistorySeries = route({
  method: 'GET',
  path: '/api/v1/history/series',
  refuses: ['notFound'],
  tag: 'history',
  access: see,
  areaScoped: true,
  summary:
    'Curves of devices over a span of up to ten years, as fine as so many points allow, or in the resolution that is asked for. The last hour is of the readings themselves.',
  query: Type.Object({
    deviceIds: ids(mostCurveDevices),
    quantities: keys(mostCurveQuantities),
    from: Timestamp,
    to: Timestamp,
    /** A curve has at most about so many; 600 unless told. */
    points: Type.Optional(Type.Integer({ minimum: 10, maximum: mostCurvePoints })),
    /** Left out: the finest that stays within `points` and has readings for the whole span. */
    resolution: Type.Optional(Type.Enum(resolutions)),
  }),
  reply: Type.Object({
    resolution: Type.Enum(resolutions),
    /** Of a stretch; 0: none. */ seconds: Type.Integer(),
    /** Finer ones that would be answered for this span when asked for. */
    possible: Type.Array(Type.Enum(resolutions)),
    from: Timestamp,
    to: Timestamp,
    /** Device by device as asked, in it quantity by quantity; those a device's family does not have are left out. */
    series: Type.Array(CurveSeries),
    /** More readings than one answer holds: the curves end early. */
    truncated: Type.Boolean(),
  }),
});

export const getHistoryQuantities = route({
  method: 'GET',
  path: '/api/v1/history/quantities',
  refuses: ['notFound'],
  tag: 'history',
  access: see,
  areaScoped: true,
  summary: 'What curves these devices can show, by the names of the catalogue, and since when there is any.',
  query: Type.Object({ deviceIds: ids(mostCurveDevices) }),
  reply: Type.Object({
    data: Type.Array(
      Type.Object({
        id: Type.Integer(),
        family: Type.String(),
        code: Type.String(),
        name: Nullable(Type.String()),
        timeZone: Type.String(),
        quantities: Type.Array(
          Type.Object({
            key: Type.String(),
            kind: CurveKind,
            unit: Nullable(Type.String()),
            decimals: Type.Integer(),
            options: Nullable(Type.Array(Type.String())),
            /** It is among the device's latest values. */
            reported: Type.Boolean(),
          }),
        ),
      }),
    ),
    /** Where each resolution begins; null: there is nothing yet. */
    since: Type.Object({ raw: Nullable(Timestamp), hour: Nullable(Timestamp), day: Nullable(Timestamp) }),
  }),
});

/** `day`: civil; `lightingDay`: from noon of that day to the next; `month`: civil. All where the device stands. */
export const energySteps = ['hour', 'day', 'lightingDay', 'month'] as const;

const EnergySums = {
  /** measured + estimated + calculated. */
  kwh: Type.Number(),
  measured: Type.Number(),
  /** Spread over stretches that were not reported, by the planned level. */
  estimated: Type.Number(),
  /** Rated power × level × time, of devices without a counter. */
  calculated: Type.Number(),
  /** Seconds left out because the counter's step could not be true. */
  invalidSeconds: Type.Integer(),
  /** Times a counter began anew. */
  resets: Type.Integer(),
};

export const getEnergy = route({
  method: 'GET',
  path: '/api/v1/history/energy',
  refuses: ['notFound'],
  tag: 'history',
  access: see,
  areaScoped: true,
  summary:
    'Energy of devices, hour by hour, day by day, lighting day by lighting day or month by month, with what of it was measured, estimated and calculated, and of which devices it is the sum.',
  query: Type.Object({
    /** Else all the caller sees that have a counter or a rated power, narrowed by the next three. */
    deviceIds: Type.Optional(ids(mostEnergyDevices)),
    family: Type.Optional(Type.String({ maxLength: 64 })),
    workId: Type.Optional(Id),
    roadId: Type.Optional(Id),
    /** Both included. Hours: at most 62 days; days: ten years. */
    from: Day,
    to: Day,
    by: Type.Enum(energySteps),
    /** One row a step and device instead of one a step. */
    each: Type.Optional(Type.Enum(['device', 'all'] as const)),
  }),
  reply: Type.Object({
    /** Of the way it is reckoned; it changes when a figure would. */
    definition: Type.String(),
    by: Type.Enum(energySteps),
    from: Day,
    to: Day,
    /** What was consumed later is not in the figures yet; null: nothing is. */
    countedTo: Nullable(Timestamp),
    /**
     * Ascending; steps without anything known are left out. `step`: yyyy-MM-dd, yyyy-MM, or of hours the instant it
     * begins.
     */
    rows: Type.Array(
      Type.Object({ step: Type.String(), deviceId: Nullable(Type.Integer()), devices: Type.Integer(), ...EnergySums }),
    ),
    total: Type.Object(EnergySums),
    /** The devices that were added up: the first 200 by code of `count`; of `silent` nothing is known in the span. */
    devices: Type.Object({
      count: Type.Integer(),
      silent: Type.Integer(),
      data: Type.Array(
        Type.Object({ id: Type.Integer(), code: Type.String(), name: Nullable(Type.String()), ...EnergySums }),
      ),
    }),
  }),
});

export const exportHistory = route({
  method: 'POST',
  path: '/api/v1/history-exports',
  refuses: ['notFound'],
  tag: 'history',
  access: 'device.export',
  action: 'history.export',
  areaScoped: true,
  status: 201,
  summary:
    'Begins the export of curves as a task: a row a device and instant, a column a quantity (of stretches three: mean, least, greatest); at most 1,000,000 rows, and of readings and quarters of an hour at most 93 days.',
  body: HistoryExport,
  reply: Task,
});

/** Bounds of what an administrator may set. */
export const retentionBounds = {
  rawDays: { least: 35, most: 3650, usual: 400 },
  hourYears: { least: 1, most: 30, usual: 5 },
} as const;

export const Retention = Type.Object({
  /** Every reading is kept for so many days. */
  rawDays: Type.Integer({ minimum: retentionBounds.rawDays.least, maximum: retentionBounds.rawDays.most }),
  /** Hours of devices for so many years; days are kept for ever. */
  hourYears: Type.Integer({ minimum: retentionBounds.hourYears.least, maximum: retentionBounds.hourYears.most }),
});

/**
 * `raw`: readings, a table a day; `hour`, `energyHour`, `energyEvent` (resets, rollovers and impossible steps of
 * counters): a month; `day`, `energyDay`: a year.
 */
export const historyParts = ['raw', 'hour', 'day', 'energyHour', 'energyDay', 'energyEvent'] as const;
/** What is kept for as many years as hours are. */
export const keptByYears: readonly (typeof historyParts)[number][] = ['hour', 'energyHour', 'energyEvent'];

export const HistoryStorage = Type.Object({
  retention: Retention,
  parts: Type.Array(
    Type.Object({
      part: Type.Enum(historyParts),
      /** As the database reckons; exact only after it has looked. */
      rows: Type.Integer(),
      bytes: Type.Integer(),
      /** The days it covers, the last one not included; null: it is empty. */
      from: Nullable(Day),
      to: Nullable(Day),
      /** Table by table, oldest first. `drops`: the next cleaning takes it away. */
      tables: Type.Array(
        Type.Object({ from: Day, to: Day, rows: Type.Integer(), bytes: Type.Integer(), drops: Type.Boolean() }),
      ),
    }),
  ),
  /** Of the whole database. */
  databaseBytes: Type.Integer(),
  /** Of the file system the database is on; null: it is not on this machine. */
  freeBytes: Nullable(Type.Integer()),
  /**
   * By what the last seven full days brought; null: there is no full day yet. `bytesInYear`: what all of it will take
   * then, retention considered.
   */
  growth: Nullable(
    Type.Object({
      rowsPerDay: Type.Integer(),
      bytesPerDay: Type.Integer(),
      bytesInMonth: Type.Integer(),
      bytesInYear: Type.Integer(),
    }),
  ),
  /** How far hours are rolled; null: not at all. Late readings and days that wait to be rolled anew. */
  rolledTo: Nullable(Timestamp),
  lateWaiting: Type.Integer(),
  daysWaiting: Type.Integer(),
  lastCleaned: Nullable(Timestamp),
});

export const getHistoryStorage = route({
  method: 'GET',
  path: '/api/v1/history/storage',
  tag: 'history',
  access: 'site.history',
  summary: 'What the history takes, table by table, how it grows and how long it is kept.',
  reply: HistoryStorage,
});
export const updateHistoryStorage = route({
  method: 'PUT',
  path: '/api/v1/history/storage',
  refuses: ['changedMeanwhile'],
  tag: 'history',
  access: 'site.history',
  action: 'history.retention',
  summary:
    'Sets how long readings and hours are kept. What is older then goes with the next cleaning, within an hour, and cannot be brought back.',
  body: Type.Interface([Retention], {
    /** As it was read: when somebody else has changed it meanwhile, it is refused. */
    before: Retention,
  }),
  reply: HistoryStorage,
});
