import { Type } from 'typebox';
import { HistoryExport, resolutions } from '../history.ts';
import { Day, Id, Nullable, Timestamp, route } from '../route.ts';
import { Task } from '../desk/tasks.ts';

/**
 * What devices measured over any span: curves, energy, and how long the history is kept. Instants in curves are
 * milliseconds since 1970, because a picture may hold 100,000 of them.
 */

export const mostCurveDevices = 20;
export const mostCurveQuantities = 8;
export const mostCurvePoints = 2000;
/** Limit of values (points × devices × quantities) in one answer; automatic resolution stays below it. */
export const mostCurveValues = 160_000;
export const mostEnergyDevices = 200;

/**
 * Quality of a point, as readings carry it; an interval has the worst of its readings. 0 measured, 1 estimated, 2
 * stale, 3 invalid.
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
  /** Key of the unit in the catalogue's names; null: no unit. */
  unit: Nullable(Type.String()),
  /** For a choice its options in order, as keys of the catalogue's options; otherwise null. */
  options: Nullable(Type.Array(Type.String())),
  /**
   * `[instant, value, least, greatest, readings, quality]`, ascending. The instant is that of the reading, or the
   * beginning of the interval. `value` is the mean; for counters and states it is the last value. `least` and
   * `greatest` are null for counters, states and readings. A reading with a value out of range has the value null and
   * the quality 3. Intervals without a reading are left out. For counters and states `readings` counts every reading of
   * the interval.
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
   * `[from, to]` in milliseconds since 1970, from the point before to the point after (or to the ends of the span):
   * times without a value that are longer than three reporting periods of the family and than one interval of the
   * resolution. No line is drawn over them.
   */
  gaps: Type.Array(Type.Tuple([Type.Number(), Type.Number()])),
  /** Number of readings behind the points, by quality. */
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
    'Curves of devices over a span of up to ten years, as fine as `points` allows, or in the given resolution. The last hour comes from the readings themselves.',
  query: Type.Object({
    deviceIds: ids(mostCurveDevices),
    quantities: keys(mostCurveQuantities),
    from: Timestamp,
    to: Timestamp,
    /** Upper limit of the points of a curve, approximately; default: 600. */
    points: Type.Optional(Type.Integer({ minimum: 10, maximum: mostCurvePoints })),
    /** Default: the finest resolution that stays within `points` and has readings for the whole span. */
    resolution: Type.Optional(Type.Enum(resolutions)),
  }),
  reply: Type.Object({
    resolution: Type.Enum(resolutions),
    /** Length of an interval; 0: the points are readings. */
    seconds: Type.Integer(),
    /** Finer resolutions that are available for this span. */
    possible: Type.Array(Type.Enum(resolutions)),
    from: Timestamp,
    to: Timestamp,
    /**
     * In the order of the devices, then of the quantities. A quantity that a device's family does not have is left out.
     */
    series: Type.Array(CurveSeries),
    /** There are more readings than one answer holds: the curves end early. */
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
  summary:
    'Quantities that these devices can show as curves, with their names in the catalogue, and where the data begin.',
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
            /** The latest values of the device contain it. */
            reported: Type.Boolean(),
          }),
        ),
      }),
    ),
    /** Where each resolution begins; null: there is no data yet. */
    since: Type.Object({ raw: Nullable(Timestamp), hour: Nullable(Timestamp), day: Nullable(Timestamp) }),
  }),
});

/** `day`: civil; `lightingDay`: from noon of that day to the next; `month`: civil. All where the device stands. */
export const energySteps = ['hour', 'day', 'lightingDay', 'month'] as const;

const EnergySums = {
  /** measured + estimated + calculated. */
  kwh: Type.Number(),
  measured: Type.Number(),
  /** Spread over times without readings, by the planned level. */
  estimated: Type.Number(),
  /** Rated power × level × time, for devices without a counter. */
  calculated: Type.Number(),
  /** Seconds left out because the counter made an impossible step. */
  invalidSeconds: Type.Integer(),
  /** Number of times that a counter was reset. */
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
    'Energy of devices by hour, day, lighting day or month: what was measured, estimated and calculated, and the devices that the sum covers.',
  query: Type.Object({
    /** Default: all visible devices with a counter or a rated power, narrowed by the next three filters. */
    deviceIds: Type.Optional(ids(mostEnergyDevices)),
    family: Type.Optional(Type.String({ maxLength: 64 })),
    workId: Type.Optional(Id),
    roadId: Type.Optional(Id),
    /** Both included. Hours: at most 62 days; days: ten years. */
    from: Day,
    to: Day,
    by: Type.Enum(energySteps),
    /** `device`: one row a step and device; otherwise one row a step. */
    each: Type.Optional(Type.Enum(['device', 'all'] as const)),
  }),
  reply: Type.Object({
    /** Version of the calculation; it changes when a figure would change. */
    definition: Type.String(),
    by: Type.Enum(energySteps),
    from: Day,
    to: Day,
    /** The figures leave out later consumption; null: there are none yet. */
    countedTo: Nullable(Timestamp),
    /**
     * Ascending; steps without data are left out. `step`: yyyy-MM-dd, yyyy-MM, or the instant at which an hour begins.
     */
    rows: Type.Array(
      Type.Object({ step: Type.String(), deviceId: Nullable(Type.Integer()), devices: Type.Integer(), ...EnergySums }),
    ),
    total: Type.Object(EnergySums),
    /**
     * The devices in the sum: `count` of them, the first 200 by code, and `silent` of them without data in the span.
     */
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
    'Begins the export of curves as a task: one row per device and instant, one column per quantity (for intervals three: mean, least, greatest); at most 1,000,000 rows, and at most 93 days of readings or quarters of an hour.',
  body: HistoryExport,
  reply: Task,
});

/** Bounds of the retention that an administrator may set. */
export const retentionBounds = {
  rawDays: { least: 35, most: 3650, usual: 400 },
  hourYears: { least: 1, most: 30, usual: 5 },
} as const;

export const Retention = Type.Object({
  /** Days for which every reading is kept. */
  rawDays: Type.Integer({ minimum: retentionBounds.rawDays.least, maximum: retentionBounds.rawDays.most }),
  /** Years for which hours of devices are kept; days are kept for ever. */
  hourYears: Type.Integer({ minimum: retentionBounds.hourYears.least, maximum: retentionBounds.hourYears.most }),
});

/**
 * `raw`: readings, one table a day. `hour`, `energyHour` and `energyEvent` (resets, rollovers and impossible steps of
 * counters): one table a month. `day` and `energyDay`: one table a year.
 */
export const historyParts = ['raw', 'hour', 'day', 'energyHour', 'energyDay', 'energyEvent'] as const;
/** Parts that are kept as long as hours. */
export const keptByYears: readonly (typeof historyParts)[number][] = ['hour', 'energyHour', 'energyEvent'];

export const HistoryStorage = Type.Object({
  retention: Retention,
  parts: Type.Array(
    Type.Object({
      part: Type.Enum(historyParts),
      /** Estimate of the database; exact only after it has analysed the table. */
      rows: Type.Integer(),
      bytes: Type.Integer(),
      /** The days it covers, the last one excluded; null: it is empty. */
      from: Nullable(Day),
      to: Nullable(Day),
      /** Its tables, oldest first. `drops`: the next cleaning deletes the table. */
      tables: Type.Array(
        Type.Object({ from: Day, to: Day, rows: Type.Integer(), bytes: Type.Integer(), drops: Type.Boolean() }),
      ),
    }),
  ),
  /** Size of the whole database. */
  databaseBytes: Type.Integer(),
  /** Free space in the file system of the database; null: the database is on another machine. */
  freeBytes: Nullable(Type.Integer()),
  /**
   * Estimate by the last seven full days; null: there is no full day yet. `bytesInYear` is the total size after a year,
   * retention considered.
   */
  growth: Nullable(
    Type.Object({
      rowsPerDay: Type.Integer(),
      bytesPerDay: Type.Integer(),
      bytesInMonth: Type.Integer(),
      bytesInYear: Type.Integer(),
    }),
  ),
  /**
   * Hours are rolled up to here; null: none is. The next two: late readings, and days, that wait to be rolled again.
   */
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
  summary: 'The size of the history, table by table, its growth and its retention.',
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
    'Sets how long readings and hours are kept. The next cleaning, within an hour, deletes what is older; it cannot be restored.',
  body: Type.Interface([Retention], {
    /** The settings as the caller read them. If they have changed since, the call is refused. */
    before: Retention,
  }),
  reply: HistoryStorage,
});
