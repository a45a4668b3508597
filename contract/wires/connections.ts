import { Type } from 'typebox';
import { connectionKinds, connectionReasons, DeviceName, lasting } from '../episodes.ts';
import { Id, IdList, IdParams, Nullable, Page, Size, Timestamp, listOf, route } from '../route.ts';

/**
 * The connection log: when devices were out of reach, and why. A device is out of reach after three of its reporting
 * periods without a message; the outage counts from its last message. The log also has shorter interruptions of its
 * line.
 */

export const ConnectionEntry = Type.Object({
  id: Type.Integer(),
  kind: Type.Enum(connectionKinds),
  reason: Type.Enum(connectionReasons),
  device: Type.Object({ ...DeviceName, workAreaName: Type.String(), roadName: Nullable(Type.String()) }),
  ...lasting,
  noticedAt: Timestamp,
  /** The gateway or controller that the device speaks through. */
  via: Nullable(Type.Object(DeviceName)),
  /** Where the connection came from that was refused or took over the name. */
  address: Nullable(Type.String()),
});

const listed = (names: readonly string[]) =>
  Type.String({ pattern: `^(${names.join('|')})(,(${names.join('|')}))*$`, maxLength: 400 });
const ids = IdList;
const filters = {
  /** Entries that overlap the span. */
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
  /** Several values, comma-separated. */
  kind: Type.Optional(listed(connectionKinds)),
  reason: Type.Optional(listed(connectionReasons)),
  family: Type.Optional(Type.String({ maxLength: 1000 })),
  workId: Type.Optional(ids),
  roadId: Type.Optional(ids),
  deviceId: Type.Optional(Id),
  /** Part of a code or name. */
  q: Type.Optional(Type.String({ maxLength: 100 })),
  /** true: only what still lasts; false: only what has ended. */
  open: Type.Optional(Type.Boolean()),
  /** false: without devices that are out of reach only because their gateway is. */
  behind: Type.Optional(Type.Boolean()),
};
export const ConnectionFilters = Type.Object(filters);

export const listConnections = route({
  method: 'GET',
  path: '/api/v1/connections',
  tag: 'connections',
  access: 'device.query',
  areaScoped: true,
  summary: 'When devices could not be reached, and why; the latest first.',
  query: Type.Object({ ...filters, page: Type.Optional(Page), size: Type.Optional(Size(100)) }),
  reply: listOf(ConnectionEntry),
});

/** Seconds of a span, for one device or for several together; each device counts from its registration. */
const seconds = {
  /** It should have been online and the server listened: 100 % of the rate. */
  due: Type.Number(),
  /** Part of `due` in which it was online. */
  online: Type.Number(),
  offline: Type.Number(),
  /** Without power by plan: not part of `due`. */
  unpowered: Type.Number(),
  /** The server did not listen: nothing is known. */
  unknown: Type.Number(),
};
export const AvailabilitySeconds = Type.Object(seconds);

export const getConnectionFigures = route({
  method: 'GET',
  path: '/api/v1/connections/figures',
  tag: 'connections',
  access: 'device.query',
  areaScoped: true,
  summary:
    'How the filtered devices are connected now, how long they were online in the span, and the reasons of their outages.',
  query: Type.Object({
    from: Timestamp,
    to: Timestamp,
    family: filters.family,
    workId: filters.workId,
    roadId: filters.roadId,
  }),
  reply: Type.Object({
    at: Timestamp,
    /** Enabled devices that report, now. `behind`: those that are offline only because their gateway is lost. */
    now: Type.Object({
      devices: Type.Integer(),
      online: Type.Integer(),
      offline: Type.Integer(),
      behind: Type.Integer(),
      unpowered: Type.Integer(),
      unknown: Type.Integer(),
    }),
    /** In the span, of the same devices. */
    span: AvailabilitySeconds,
    /** Outages, interruptions and refusals that began in the span, the most frequent first. */
    reasons: Type.Array(
      Type.Object({
        kind: Type.Enum(connectionKinds),
        reason: Type.Enum(connectionReasons),
        count: Type.Integer(),
        devices: Type.Integer(),
      }),
    ),
    /** Times without listening, the latest first; at most 20. */
    gaps: Type.Array(Type.Object({ from: Timestamp, to: Timestamp })),
  }),
});

/** Limits of the strip: its steps, and the busiest minutes that are named. */
export const mostDropSteps = 240;
export const mostDropPeaks = 8;
/** Steps of the strip, seconds; the shortest that keeps it within its limit. */
export const dropSteps = [60, 300, 900, 3600, 10_800, 21_600, 86_400, 604_800] as const;

export const getConnectionDrops = route({
  method: 'GET',
  path: '/api/v1/connections/drops',
  tag: 'connections',
  access: 'device.query',
  areaScoped: true,
  summary: 'How many entries of the connection log began in each step of a span, and its busiest minutes.',
  query: Type.Object({ ...filters, from: Timestamp, to: Timestamp }),
  reply: Type.Object({
    /** The span as far as it has been. */
    from: Timestamp,
    to: Timestamp,
    stepSeconds: Type.Enum([...dropSteps]),
    /** Steps with an entry, ascending; a step begins at `from` plus a whole number of steps. */
    steps: Type.Array(Type.Object({ at: Timestamp, count: Type.Integer() })),
    /** The minutes with the most entries, at least two, the busiest first. */
    peaks: Type.Array(Type.Object({ at: Timestamp, count: Type.Integer() })),
  }),
});

export const getDeviceAvailability = route({
  method: 'GET',
  path: '/api/v1/devices/:id/availability',
  tag: 'connections',
  access: 'device.query',
  areaScoped: true,
  summary:
    'How long a device was online of the time it should have been, in a span and in each of its lighting days (noon to noon in the zone of its project); at most 400 days.',
  params: IdParams,
  query: Type.Object({ from: Timestamp, to: Timestamp }),
  reply: Type.Object({
    from: Timestamp,
    to: Timestamp,
    span: AvailabilitySeconds,
    days: Type.Array(Type.Object({ day: Type.String(), from: Timestamp, to: Timestamp, ...seconds })),
    /** Outages, cut to the span, the first one first. */
    outages: Type.Array(
      Type.Object({
        kind: Type.Enum(['offline', 'unpowered', 'unknown'] as const),
        from: Timestamp,
        to: Timestamp,
        reason: Nullable(Type.Enum(connectionReasons)),
      }),
    ),
  }),
});

export const listDeviceConnections = route({
  method: 'GET',
  path: '/api/v1/devices/:id/connections',
  tag: 'connections',
  access: 'device.query',
  areaScoped: true,
  summary: 'The connection log of one device, the latest first.',
  params: IdParams,
  query: Type.Object({
    kind: filters.kind,
    reason: filters.reason,
    from: filters.from,
    to: filters.to,
    open: filters.open,
    page: Type.Optional(Page),
    size: Type.Optional(Size(100)),
  }),
  reply: listOf(ConnectionEntry),
});
