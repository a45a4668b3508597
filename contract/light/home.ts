import { Type } from 'typebox';
import { FaultCode, lasting } from '../episodes.ts';
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
    previousKw: Type.Array(Nullable(Type.Number())),
    lamps: Type.Integer(),
  }),
});

/**
 * Devices behind a lost gateway or controller belong to its one outage. Refusals and planned power-off are left out.
 */
export const homeChangeKinds = ['fault', 'offline', 'link'] as const;

export const getHomeChanges = route({
  method: 'GET',
  path: '/api/v1/home/changes',
  tag: 'home',
  access: 'session',
  areaScoped: true,
  summary:
    'What began or ended tonight, the latest change first; what began in one minute, of one kind and road, is one line.',
  query: Type.Object({ size: Type.Optional(Size(100)) }),
  reply: Type.Object({
    since: Timestamp,
    data: Type.Array(
      Type.Object({
        ...lasting,
        /** Its latest change: the last end, or else the beginning. */
        at: Timestamp,
        kind: Type.Enum(homeChangeKinds),
        fault: Nullable(FaultCode),
        /** Number of devices; `open` of them are still affected. */
        count: Type.Integer(),
        open: Type.Integer(),
        roadId: Nullable(Type.Integer()),
        roadName: Nullable(Type.String()),
        /** The single device, when count is 1. */
        deviceId: Nullable(Type.Integer()),
        code: Nullable(Type.String()),
        family: Type.String(),
      }),
    ),
    recordsTotal: Type.Integer(),
  }),
});
