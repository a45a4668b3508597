import { Type, type TSchema } from 'typebox';
import { connectionReasons, FaultCode, lasting } from '../episodes.ts';
import { Nullable, Size, Timestamp, route } from '../route.ts';

/** The duty operator's first page. Every number is counted from stored readings; null: not known, never 0. */

const Share = Type.Object({ numerator: Type.Integer(), denominator: Type.Integer(), value: Nullable(Type.Number()) });

export const getHome = route({
  method: 'GET',
  path: '/api/v1/home',
  tag: 'home',
  access: 'session',
  areaScoped: true,
  summary: 'Lit rate strict and known-only, online, open faults, energy tonight, and the night’s times.',
  reply: Type.Object({
    at: Timestamp,
    /** Device time of the newest stored reading; `stale`: the console marks the page as stale. */
    newestReadingAt: Nullable(Timestamp),
    stale: Type.Boolean(),
    staleSince: Nullable(Timestamp),
    lamps: Type.Integer(),
    /** Lit of those that should be lit, from 30 minutes after the on-time. strict: unknown counts as not lit. */
    litRate: Type.Object({
      counted: Type.Boolean(),
      countedFrom: Nullable(Timestamp),
      strict: Share,
      knownOnly: Share,
      unknown: Type.Integer(),
    }),
    online: Type.Object({ lamps: Share, controllers: Share }),
    faults: Type.Object({
      total: Type.Integer(),
      severe: Type.Integer(),
      medium: Type.Integer(),
      minor: Type.Integer(),
      byCode: Type.Record(Type.String(), Type.Integer()),
    }),
    /** kWh since this night's on-time, from counters. `covered`: lamps with both readings. */
    energy: Type.Object({
      kWh: Nullable(Type.Number()),
      since: Nullable(Timestamp),
      covered: Type.Integer(),
      powerKw: Nullable(Type.Number()),
    }),
    night: Type.Object({
      from: Timestamp,
      to: Timestamp,
      sunset: Nullable(Timestamp),
      sunrise: Nullable(Timestamp),
      onAt: Nullable(Timestamp),
      offAt: Nullable(Timestamp),
      timeZone: Type.String(),
      longitude: Nullable(Type.Number()),
      latitude: Nullable(Type.Number()),
      sunOffsetMinutes: Type.Integer(),
    }),
  }),
});

export const getHomeCurve = route({
  method: 'GET',
  path: '/api/v1/home/curve',
  tag: 'home',
  access: 'session',
  areaScoped: true,
  summary:
    'Tonight every quarter of an hour: total power and lit lamps from stored readings, with what the plan expects.',
  reply: Type.Object({
    from: Timestamp,
    to: Timestamp,
    stepSeconds: Type.Integer(),
    /**
     * Entry i is the value at from + i × step. null: it is not known yet, or too few lamps had reported within two
     * periods (fewer than half of all, or than nine tenths of the night's most).
     */
    powerKw: Type.Array(Nullable(Type.Number())),
    lit: Type.Array(Nullable(Type.Integer())),
    reporting: Type.Array(Type.Integer()),
    planKw: Type.Array(Nullable(Type.Number())),
    /** Mean level that the plans want of all lamps, % of their full light. */
    planLevel: Type.Array(Nullable(Type.Number())),
    previousKw: Type.Array(Nullable(Type.Number())),
    lamps: Type.Integer(),
  }),
});

/**
 * Devices behind a lost gateway or controller belong to its one outage. Refusals and planned power-off are left out.
 */
export const homeChangeKinds = ['fault', 'offline', 'link'] as const;

/**
 * Faults, outages or interruptions of several devices in one line: at least 5 that began in one minute, of one kind,
 * fault, reason and family; single ones of a kind together.
 */
export const HomeLine = Type.Object({
  ...lasting,
  /** Its latest change: the last end, or else the last beginning. */
  at: Timestamp,
  kind: Type.Enum(homeChangeKinds),
  fault: Nullable(FaultCode),
  /** Of an outage or an interruption. */
  reason: Nullable(Type.Enum(connectionReasons)),
  /** 1 severe, 2 medium, 3 minor. */
  level: Type.Integer({ minimum: 1, maximum: 3 }),
  /** Number of devices; `open` of them are still affected. */
  count: Type.Integer(),
  open: Type.Integer(),
  /** Number of roads that they stand on; the road, when that is one. */
  roads: Type.Integer(),
  roadId: Nullable(Type.Integer()),
  roadName: Nullable(Type.String()),
  /** The single device, when count is 1. */
  deviceId: Nullable(Type.Integer()),
  code: Nullable(Type.String()),
  family: Type.String(),
});

/** `lines` and `devices`: of all, also of those beyond the ones that are listed. */
const Lines = Type.Object({
  data: Type.Array(HomeLine, { maxItems: 100 }),
  lines: Type.Integer(),
  devices: Type.Integer(),
});

export const getHomeChanges = route({
  method: 'GET',
  path: '/api/v1/home/changes',
  tag: 'home',
  access: 'session',
  areaScoped: true,
  summary:
    'What is wrong now, the worst first, and what ended tonight, the latest first; folded by minute, kind, fault and reason.',
  /** Lines of each. */
  query: Type.Object({ size: Type.Optional(Size(100)) }),
  reply: Type.Object({
    /** Beginning of the night that the page shows. */
    since: Timestamp,
    open: Lines,
    ended: Lines,
  }),
});

export const getHomeSince = route({
  method: 'GET',
  path: '/api/v1/home/since',
  tag: 'home',
  access: 'session',
  areaScoped: true,
  summary:
    'What began and what ended while the account was away: from its last activity before this stay to its return.',
  reply: Type.Object({
    /** Null: it was never away, or never here before. */
    away: Nullable(
      Type.Object({
        leftAt: Timestamp,
        backAt: Timestamp,
        /** Counted from here on: `leftAt`, or 7 days before the return. */
        from: Timestamp,
        began: Lines,
        ended: Lines,
      }),
    ),
  }),
});

/** Most cells of the picture: 96 along its longer side. */
const mostCells = 96 * 96;
const Column = <T extends TSchema>(item: T) => Type.Array(item, { maxItems: mostCells });
const PerMille = Type.Integer({ minimum: 0, maximum: 1000 });

export const homePlaceKinds = ['road', 'controller'] as const;

export const getHomeMap = route({
  method: 'GET',
  path: '/api/v1/home/map',
  tag: 'home',
  access: 'session',
  areaScoped: true,
  summary:
    'The lamps of the city as a small picture of at most 9,216 cells with their light and faults, and the five worst places.',
  reply: Type.Object({
    at: Timestamp,
    /** What the picture contains, WGS-84 degrees; null: no lamp has a position. */
    bounds: Nullable(
      Type.Object({ west: Type.Number(), south: Type.Number(), east: Type.Number(), north: Type.Number() }),
    ),
    /** Lamps without a position, or more than a degree away from most others: no cell contains them. */
    unplaced: Type.Integer(),
    /** Parallel columns; an entry is a cell with lamps. */
    cells: Type.Object({
      /** Mean position of its lamps, per mille of the bounds; y from north to south. */
      x: Column(PerMille),
      y: Column(PerMille),
      lamps: Column(Type.Integer()),
      /** Sum of the levels of its lit lamps, 1 a lamp at 100 %. */
      light: Column(Type.Number()),
      alarm: Column(Type.Integer()),
      offline: Column(Type.Integer()),
    }),
    /**
     * Where most is wrong, the worst first: a controller that is out of reach with the lamps behind it, else a road. A
     * severe fault counts as three.
     */
    places: Type.Array(
      Type.Object({
        kind: Type.Enum(homePlaceKinds),
        /** Null: lamps on no road. */
        id: Nullable(Type.Integer()),
        /** Name of the road; code of the controller. */
        name: Nullable(Type.String()),
        /** Its enabled lamps; `affected` of them have a fault or are out of reach. */
        lamps: Type.Integer(),
        affected: Type.Integer(),
        /** The worst of it: how many lamps have it, and since when the longest. */
        fault: Nullable(FaultCode),
        count: Type.Integer(),
        since: Nullable(Timestamp),
        /** Middle of what is affected, per mille of the bounds; null: outside, or without a position. */
        x: Nullable(PerMille),
        y: Nullable(PerMille),
      }),
      { maxItems: 5 },
    ),
  }),
});
