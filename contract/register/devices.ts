import { Type } from 'typebox';
import {
  Id,
  IdList,
  IdParams,
  Nullable,
  Page,
  Size,
  Timestamp,
  Version,
  bodyWithPictures,
  pagesOf,
  route,
} from '../route.ts';

/**
 * Devices of every family. Fields are flat, by their wire names; GET /api/v1/families lists the fields of a family. The
 * server checks fields against the catalogue and reports every problem by name at once, unknown fields included.
 */

/** null: the device reported that it no longer knows the value. */
const Reported = Type.Record(Type.String(), Type.Union([Type.Number(), Type.Boolean(), Type.String(), Type.Null()]));

export const Latest = Type.Object({
  /** Device time of the newest reading. */
  at: Nullable(Timestamp),
  receivedAt: Nullable(Timestamp),
  values: Reported,
  /** The state of its own link; null: it never connected, or its controller speaks for it. */
  connected: Nullable(Type.Boolean()),
});

const FaultLevel = Type.Integer({ minimum: 1, maximum: 3 });

export const DeviceRow = Type.Object(
  {
    id: Type.Integer(),
    family: Type.String(),
    version: Type.Integer(),
    createTime: Timestamp,
    /** Time of the last report; for a family that reports nothing, of the last change of the record. */
    updateTime: Nullable(Timestamp),
    /** null: the family reports nothing, or nothing is known yet. */
    isOnline: Nullable(Type.Boolean()),
    state: Nullable(Type.String()),
    fault: Nullable(Type.String()),
    /**
     * All its faults, the one in `fault` first, then the worst; of a device out of reach also those it had when it was
     * heard last. Level 1 severe, 2 moderate, 3 normal.
     */
    faults: Type.Optional(Type.Array(Type.Object({ code: Type.String(), level: FaultLevel, since: Timestamp }))),
    /** Beginning of the current state. */
    since: Type.Optional(Nullable(Timestamp)),
    /** "longitude, latitude" of its own position, or else of its pole's. */
    latchedPosition: Nullable(Type.String()),
    /** Names of the rows that reference fields refer to, by field. */
    labels: Type.Record(Type.String(), Type.String()),
    /** Secret fields with a value; the value itself is never returned. */
    secrets: Type.Array(Type.String()),
    latest: Nullable(Latest),
  },
  { additionalProperties: true },
);

const fields = { additionalProperties: true, description: 'Fields of the family by wire name.' } as const;

export const listDevices = route({
  method: 'GET',
  path: '/api/v1/devices',
  tag: 'devices',
  access: 'device.query',
  areaScoped: true,
  summary:
    'Devices, filtered and sorted. Each filter field of the family may be given by its wire name, several values comma-separated.',
  query: Type.Object(
    {
      family: Type.Optional(Type.String({ maxLength: 40 })),
      /** Part of code or name. */
      q: Type.Optional(Type.String({ maxLength: 100 })),
      /** Only these ids, comma-separated: to name what is selected. */
      ids: Type.Optional(IdList),
      online: Type.Optional(Type.Boolean()),
      workArea: Type.Optional(Id),
      roadId: Type.Optional(Id),
      groupId: Type.Optional(Id),
      poleId: Type.Optional(Id),
      parentId: Type.Optional(Id),
      page: Type.Optional(Page),
      size: Type.Optional(Size()),
      sort: Type.Optional(Type.String({ maxLength: 60 })),
      /**
       * Instead of a page: the rows after (or before) an earlier page, by its `next` (or `previous`), with the same
       * filters and order.
       */
      after: Type.Optional(Type.String({ maxLength: 2000 })),
      before: Type.Optional(Type.String({ maxLength: 2000 })),
    },
    { additionalProperties: true },
  ),
  reply: Type.Object({
    ...pagesOf(DeviceRow).properties,
    /** The server's time before it read the rows; the live socket sends later changes. */
    at: Type.Optional(Timestamp),
  }),
});

/**
 * The clock of a device, or of the controller that speaks for it; absent: it is right to a minute, or was never heard.
 */
const ClockTrouble = Type.Object({
  /**
   * How many seconds it is ahead of the server's clock; negative: behind. The server corrects reported times by it.
   * null: it counts as right.
   */
  aheadSeconds: Nullable(Type.Integer()),
  /**
   * Since when it has been wrong by more than a minute; null: it is right, or it was wrong before this was recorded.
   */
  wrongSince: Nullable(Timestamp),
  /** Messages that wait until the time of the clock is known, and since when. Then they enter the history. */
  waiting: Type.Integer(),
  waitingSince: Nullable(Timestamp),
});

export const getDevice = route({
  method: 'GET',
  path: '/api/v1/devices/:id',
  tag: 'devices',
  access: 'device.query',
  areaScoped: true,
  summary: 'One device with its latest values, and what is wrong with its clock.',
  params: IdParams,
  reply: Type.Interface([DeviceRow], { clock: Type.Optional(ClockTrouble) }),
});

export const createDevice = route({
  method: 'POST',
  path: '/api/v1/devices',
  limits: { bytes: bodyWithPictures },
  tag: 'devices',
  dryRun: true,
  access: 'device.add',
  action: 'device.create',
  areaScoped: true,
  status: 201,
  summary: 'Registers a device.',
  body: Type.Object({ family: Type.String({ maxLength: 40 }) }, fields),
  form: { of: 'newDevice' },
  reply: DeviceRow,
});

export const updateDevice = route({
  method: 'PUT',
  path: '/api/v1/devices/:id',
  limits: { bytes: bodyWithPictures },
  tag: 'devices',
  dryRun: true,
  access: 'device.edit',
  action: 'device.update',
  areaScoped: true,
  refuses: ['rowsDarken', 'rowsBelowFloor'],
  summary:
    'Changes a device: absent fields stay, null empties. An outdated `version` is 409. A pole that begins or ceases to be a junction, or stands at another side of its road, is weighed as an order of its row.',
  params: IdParams,
  body: Type.Object({ version: Type.Optional(Version) }, fields),
  form: { of: 'deviceChanges' },
  /** `darkens`: lamps that get darker; absent: the change moves no pattern. */
  reply: Type.Interface([DeviceRow], { darkens: Type.Optional(Type.Integer()) }, { additionalProperties: true }),
});

const Use = Type.Object({ what: Type.String(), name: Type.String(), count: Type.Integer() });

export const getDeviceUses = route({
  method: 'GET',
  path: '/api/v1/devices/:id/uses',
  tag: 'devices',
  access: 'device.query',
  areaScoped: true,
  summary: 'What blocks the deletion of a device (`blocking`), and what would be deleted with it (`lost`).',
  params: IdParams,
  reply: Type.Object({ blocking: Type.Array(Use), lost: Type.Array(Use) }),
});

export const deleteDevice = route({
  method: 'DELETE',
  path: '/api/v1/devices/:id',
  tag: 'devices',
  dryRun: true,
  access: 'device.del',
  action: 'device.delete',
  areaScoped: true,
  status: 204,
  summary: 'Deletes a device with its readings, commands and credentials; refused while others depend on it.',
  params: IdParams,
  reply: Type.Null(),
  replyKind: 'empty',
});

export const listDeviceReadings = route({
  method: 'GET',
  path: '/api/v1/devices/:id/readings',
  tag: 'devices',
  access: 'device.query',
  areaScoped: true,
  summary:
    'Stored readings by device time, ascending; at most 31 days and 10,000 readings. Default: the last 24 hours.',
  params: IdParams,
  query: Type.Object({
    from: Type.Optional(Timestamp),
    to: Type.Optional(Timestamp),
    /** Comma-separated; default: all. */
    quantities: Type.Optional(Type.String({ maxLength: 1000 })),
    /**
     * The connector, phase, head, loop or relay that is meant, with what the device said of it in words of its own;
     * 0: of the device itself, only that. Default: the readings of the device itself.
     */
    channel: Type.Optional(Type.Integer({ minimum: 0, maximum: 32_767 })),
  }),
  reply: Type.Object({
    data: Type.Array(
      Type.Object({
        at: Timestamp,
        /** With `channel`: readings, hello, event or transaction. */
        kind: Type.Optional(Type.String()),
        /** With `channel`: codes and texts of the device that are in no catalogue, as they came. */
        unmapped: Type.Optional(Reported),
        /** measured, estimated, stale, invalid (some value was implausible and was left out) */
        quality: Type.String(),
        values: Reported,
      }),
    ),
    /** More is stored than one answer holds; a shorter span returns all of it. */
    truncated: Type.Boolean(),
  }),
});

export const createCredentials = route({
  method: 'POST',
  path: '/api/v1/devices/:id/credentials',
  tag: 'devices',
  dryRun: true,
  access: 'device.credentials',
  action: 'device.credentials',
  areaScoped: true,
  status: 201,
  summary: 'Issues new MQTT credentials, shown once; the previous ones stop working.',
  params: IdParams,
  query: Type.Object({
    /** The protocol, for a device that comes by a door of its own and not by MQTT; then with `address`. */
    wire: Type.Optional(Type.String({ maxLength: 40 })),
    /** What the device calls itself there. */
    address: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  }),
  reply: Type.Object({ clientId: Type.String(), username: Type.String(), password: Type.String() }),
});

const FieldShape = Type.Object({
  key: Type.String(),
  name: Type.String(),
  kind: Type.String(),
  required: Type.Boolean(),
  filter: Type.Boolean(),
  sort: Type.Boolean(),
  unit: Nullable(Type.String()),
  options: Nullable(Type.Array(Type.Object({ value: Type.String(), name: Type.String() }))),
  to: Nullable(Type.Record(Type.String(), Type.String())),
  schema: Type.Unknown(),
  description: Type.String(),
});
const QuantityShape = Type.Object({
  key: Type.String(),
  name: Type.String(),
  kind: Type.String(),
  unit: Nullable(Type.String()),
  min: Nullable(Type.Number()),
  max: Nullable(Type.Number()),
  decimals: Nullable(Type.Integer()),
  cumulative: Type.Boolean(),
  options: Nullable(Type.Array(Type.String())),
});

export const listFamilies = route({
  method: 'GET',
  path: '/api/v1/families',
  tag: 'devices',
  access: 'session',
  summary:
    'The device catalogue in the caller’s language: fields, quantities, commands, alarms and report periods of every family.',
  reply: Type.Object({
    data: Type.Array(
      Type.Object({
        key: Type.String(),
        name: Type.String(),
        fields: Type.Array(FieldShape),
        quantities: Type.Array(QuantityShape),
        commands: Type.Array(
          Type.Object({
            key: Type.String(),
            name: Type.String(),
            args: Type.Array(FieldShape),
            lasting: Type.Boolean(),
          }),
        ),
        /** What can be found wrong with a device; `role`: a cause takes other devices along. */
        alarms: Type.Array(
          Type.Object({
            code: Type.String(),
            name: Type.String(),
            level: FaultLevel,
            role: Type.Enum(['cause', 'symptom'] as const),
            counts: Type.Enum(['always', 'powered', 'lit'] as const),
            whatToDo: Type.String(),
          }),
        ),
        reportSeconds: Nullable(Type.Object({ lit: Type.Integer(), unlit: Type.Integer(), heartbeat: Type.Integer() })),
      }),
    ),
    recordsTotal: Type.Integer(),
  }),
});
