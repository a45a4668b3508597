import { Type } from 'typebox';
import { lampFaults, states } from '../../catalogue/faults.ts';
import { rowSides } from '../../catalogue/lighting/rows.ts';
import { Episode, FaultCode } from '../episodes.ts';
import { Id, IdList, IdParams, Nullable, Page, Size, Timestamp, listOf, route } from '../route.ts';

/** The lamp monitor: the map's compact picture, the list, one lamp. `power` is W, `level` %, energy kWh. */

export const lampStates = states;
/** The faults of lamps, the most telling first. */
export const lampFaultCodes = lampFaults;
export const LampState = Type.Enum(lampStates);

/** Filters shared by list, map, counts and command scopes. Several states and roads: comma-separated. */
export const LampFilter = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 100 })),
  roadIds: Type.Optional(IdList),
  groupId: Type.Optional(Id),
  controllerId: Type.Optional(Id),
  states: Type.Optional(Type.String({ pattern: '^[a-z]+(,[a-z]+)*$', maxLength: 100 })),
  faults: Type.Optional(Type.String({ pattern: '^[A-Z]\\d{3}(,[A-Z]\\d{3})*$', maxLength: 200 })),
  online: Type.Optional(Type.Boolean()),
  /** `lit`: should be lit by its plan, and is. `notLit`: should be lit, and is not or is unknown. */
  lit: Type.Optional(Type.Union([Type.Literal('lit'), Type.Literal('notLit')])),
  /** `astray`: enabled, and was found not to do what it was told last, or cannot. */
  plan: Type.Optional(Type.Literal('astray')),
});

export const LampRow = Type.Object({
  id: Type.Integer(),
  code: Type.String(),
  name: Nullable(Type.String()),
  workAreaId: Type.Integer(),
  roadId: Nullable(Type.Integer()),
  roadName: Nullable(Type.String()),
  groupId: Nullable(Type.Integer()),
  controllerId: Nullable(Type.Integer()),
  controllerCode: Nullable(Type.String()),
  poleId: Nullable(Type.Integer()),
  poleCode: Nullable(Type.String()),
  location: Nullable(Type.String()),
  longitude: Nullable(Type.Number()),
  latitude: Nullable(Type.Number()),
  ratedWatts: Nullable(Type.Number()),
  enabled: Type.Boolean(),
  state: LampState,
  fault: Nullable(FaultCode),
  faultSince: Nullable(Timestamp),
  online: Type.Boolean(),
  level: Nullable(Type.Number()),
  power: Nullable(Type.Number()),
  voltage: Nullable(Type.Number()),
  current: Nullable(Type.Number()),
  powerFactor: Nullable(Type.Number()),
  temperature: Nullable(Type.Number()),
  /** kWh since the last on-time of its lighting day, from the counter; null while unknown. */
  energyTonight: Nullable(Type.Number()),
  /** Device time of the last reading. */
  at: Nullable(Timestamp),
  /** The manual state in force: its level and its end. */
  manual: Nullable(Type.Object({ level: Type.Number(), until: Nullable(Timestamp), commandId: Type.Integer() })),
});

export const listLamps = route({
  method: 'GET',
  path: '/api/v1/lamps',
  tag: 'lamps',
  access: 'lamp.monitor',
  areaScoped: true,
  summary: 'Lamps (single-lamp controllers) with state and latest readings.',
  query: Type.Interface([LampFilter], {
    page: Type.Optional(Page),
    size: Type.Optional(Size()),
    sort: Type.Optional(Type.String({ maxLength: 60 })),
  }),
  reply: listOf(LampRow),
});

/**
 * Every lamp that matches, in parallel columns: the entries at one position belong to one lamp. 100,000 lamps are about
 * 4 MB before compression.
 */
export const getLampMap = route({
  method: 'GET',
  path: '/api/v1/lamps/map',
  tag: 'lamps',
  access: 'lamp.monitor',
  areaScoped: true,
  summary: 'All matching lamps as compact columns for the map, with the bounds that contain them.',
  query: LampFilter,
  reply: Type.Object({
    at: Timestamp,
    ids: Type.Array(Type.Integer()),
    codes: Type.Array(Type.String()),
    longitudes: Type.Array(Type.Number()),
    latitudes: Type.Array(Type.Number()),
    ratedWatts: Type.Array(Type.Number()),
    cct: Type.Array(Type.Integer()),
    /** Index into lampStates. */
    states: Type.Array(Type.Integer()),
    /** 0–100; -1 unknown. */
    levels: Type.Array(Type.Number()),
    poleIds: Type.Array(Type.Integer()),
    /** Matching lamps without a position, neither their own nor their pole's: no column contains them. */
    unplaced: Type.Integer(),
  }),
});

export const countLamps = route({
  method: 'GET',
  path: '/api/v1/lamps/counts',
  tag: 'lamps',
  access: 'lamp.monitor',
  areaScoped: true,
  summary: 'How many matching lamps are in each state and fault, and in all.',
  query: LampFilter,
  reply: Type.Object({
    at: Timestamp,
    total: Type.Integer(),
    online: Type.Integer(),
    states: Type.Record(Type.String(), Type.Integer()),
    faults: Type.Record(Type.String(), Type.Integer()),
  }),
});

export const lampIds = route({
  method: 'GET',
  path: '/api/v1/lamps/ids',
  tag: 'lamps',
  access: 'lamp.monitor',
  areaScoped: true,
  summary: 'The ids of all matching lamps (“select all that match”), at most 20,000.',
  query: LampFilter,
  reply: Type.Object({ ids: Type.Array(Type.Integer()), truncated: Type.Boolean() }),
});

const Beside = Nullable(Type.Object({ id: Type.Integer(), code: Type.String() }));

/** Options of the filter panel. */
export const getLampFilters = route({
  method: 'GET',
  path: '/api/v1/lamps/filters',
  tag: 'lamps',
  access: 'lamp.monitor',
  areaScoped: true,
  summary: 'Roads, groups and controllers that carry lamps, for the filter panel.',
  reply: Type.Object({
    roads: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String(), lamps: Type.Integer() })),
    groups: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String(), lamps: Type.Integer() })),
    controllers: Type.Array(
      Type.Object({ id: Type.Integer(), code: Type.String(), name: Nullable(Type.String()), lamps: Type.Integer() }),
    ),
  }),
});

export const getLamp = route({
  method: 'GET',
  path: '/api/v1/lamps/:id',
  tag: 'lamps',
  access: 'lamp.monitor',
  areaScoped: true,
  summary: 'One lamp: state, all latest values, next switch of its programme, latest faults and outages.',
  params: IdParams,
  reply: Type.Object({
    lamp: LampRow,
    values: Type.Record(Type.String(), Type.Union([Type.Number(), Type.Boolean(), Type.String(), Type.Null()])),
    plan: Type.Object({
      /** Switches of its own table around now, ascending: the last one and the next ones. */
      switches: Type.Array(Type.Object({ at: Timestamp, level: Type.Number() })),
      shouldBeLit: Type.Boolean(),
      /**
       * Its night of the lighting day: every change of level from its on to its off, ascending, the last one to 0; empty
       * without a night. `byPattern`: dark while others of its row burn. null: nobody knows where it stands.
       */
      night: Nullable(
        Type.Object({
          day: Type.String(),
          steps: Type.Array(Type.Object({ at: Timestamp, level: Type.Number(), byPattern: Type.Boolean() })),
        }),
      ),
      /** By its nameplate. */
      ratedWatts: Nullable(Type.Number()),
    }),
    connected: Nullable(Type.Boolean()),
    connectionChangedAt: Nullable(Timestamp),
    /**
     * How many seconds the clock of the lamp, or of the controller that speaks for it, is ahead of the server's;
     * negative: behind. The server corrects reported times by it. null: the clock is right to a minute, or was never
     * heard.
     */
    clockAheadSeconds: Nullable(Type.Integer()),
    /**
     * Since when the clock has been wrong by more than a minute; null: it is right, or it was wrong before this was
     * recorded.
     */
    clockWrongSince: Nullable(Timestamp),
    /** Faults, outages and interruptions, the latest first; at most 50. */
    episodes: Type.Array(Episode),
    /** Its pole in a row of the road; null: it is in none. */
    row: Nullable(
      Type.Object({
        side: Type.Enum(rowSides),
        /** From 1. */
        position: Type.Integer(),
        poles: Type.Integer(),
        /** The lamps before and after it that the caller sees; lamps of one pole follow each other. */
        previous: Beside,
        next: Beside,
      }),
    ),
  }),
});

/**
 * A curve has a gap between neighbours that are further apart than two reporting periods (of a lit or an unlit lamp);
 * the silence until now counts too.
 */
export const getLampCurve = route({
  method: 'GET',
  path: '/api/v1/lamps/:id/curve',
  tag: 'lamps',
  access: 'lamp.monitor',
  areaScoped: true,
  summary: 'Readings of one lamp in a span (default: its lighting day so far), oldest first, at most 2,000 points.',
  params: IdParams,
  query: Type.Object({ from: Type.Optional(Timestamp), to: Type.Optional(Timestamp) }),
  reply: Type.Object({
    from: Timestamp,
    to: Timestamp,
    gaps: Type.Array(Type.Object({ from: Timestamp, to: Timestamp })),
    /** Parallel columns; null: not reported. */
    at: Type.Array(Timestamp),
    level: Type.Array(Nullable(Type.Number())),
    power: Type.Array(Nullable(Type.Number())),
    voltage: Type.Array(Nullable(Type.Number())),
    current: Type.Array(Nullable(Type.Number())),
    powerFactor: Type.Array(Nullable(Type.Number())),
    temperature: Type.Array(Nullable(Type.Number())),
    /** Times from sunset to sunrise that touch the curve, to tint the night. */
    nights: Type.Array(Type.Object({ from: Timestamp, to: Timestamp })),
    /**
     * The plan as steps: the level in force from `at`, and the watts that a lamp of this model takes at it, as far as
     * they were learned. null: its rated power is not known.
     */
    plan: Type.Array(Type.Object({ at: Timestamp, level: Type.Number(), watts: Nullable(Type.Number()) })),
  }),
});
