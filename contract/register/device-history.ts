import { Type } from 'typebox';
import { DeviceName, Episode } from '../episodes.ts';
import { IdParams, Nullable, Size, Timestamp, route } from '../route.ts';
import { CommandItem } from '../light/commands.ts';

/**
 * The history of a device, or of a pole and everything on it: faults and outages (each with its end), commands and
 * changes of the record in one timeline.
 */

export const timelineKinds = ['episode', 'command', 'change'] as const;

const FieldValue = Nullable(Type.Union([Type.String(), Type.Number(), Type.Boolean()]));

export const FieldChange = Type.Object({
  /** By wire name. */
  field: Type.String(),
  from: FieldValue,
  to: FieldValue,
  /** Names of the referenced rows at the time of the change. */
  fromLabel: Nullable(Type.String()),
  toLabel: Nullable(Type.String()),
  /** A secret or a picture: the entry shows that it changed, never its value. */
  masked: Type.Boolean(),
});

export const TimelineEntry = Type.Object({
  /** Place in the timeline; the next page takes it as `before`. */
  key: Type.String(),
  /** When it happened; something that lasts stands at its beginning. */
  at: Timestamp,
  device: Type.Object({
    ...DeviceName,
    /** The device has been deleted since. */
    gone: Type.Boolean(),
  }),
  episode: Nullable(Episode),
  command: Nullable(
    Type.Object({
      id: Type.Integer(),
      command: Type.String(),
      args: Type.Record(Type.String(), Type.Unknown()),
      reason: Nullable(Type.String()),
      actorName: Type.String(),
      item: CommandItem,
    }),
  ),
  change: Nullable(
    Type.Object({
      kind: Type.Enum(['created', 'updated', 'deleted'] as const),
      /** By a form or a call, an import, the undo of one, or a move. */
      source: Type.Enum(['edit', 'import', 'import.undo', 'move'] as const),
      importId: Nullable(Type.Integer()),
      /** The file of the import. */
      note: Nullable(Type.String()),
      actorName: Type.String(),
      fields: Type.Array(FieldChange),
      /** The device hung on the requested pole and no longer does. */
      left: Type.Boolean(),
    }),
  ),
});

const query = Type.Object({
  /** Comma-separated; default: all. */
  kinds: Type.Optional(
    Type.String({
      pattern: '^(episode|event|command|change)(,(episode|event|command|change)){0,3}$',
      maxLength: 40,
      description: 'Comma-separated: episode (formerly event, still accepted), command, change. Default: all.',
    }),
  ),
  /** Only what is older than this entry (its `key`). */
  before: Type.Optional(
    Type.String({
      pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z~[0-3]~\\d{1,15}~\\d{1,15}$',
      maxLength: 70,
    }),
  ),
  size: Type.Optional(Size(100)),
});
const reply = Type.Object({ data: Type.Array(TimelineEntry), /** Older entries exist. */ more: Type.Boolean() });

export const getPoleTimeline = route({
  method: 'GET',
  path: '/api/v1/poles/:id/timeline',
  tag: 'devices',
  access: 'device.query',
  areaScoped: true,
  summary:
    'The history of a pole, of the devices on it that the caller sees, and of those removed from it; newest first.',
  params: IdParams,
  query,
  reply,
});

export const getDeviceTimeline = route({
  method: 'GET',
  path: '/api/v1/devices/:id/timeline',
  tag: 'devices',
  access: 'device.query',
  areaScoped: true,
  summary: 'Faults, outages, commands and changes of one device, newest first; what lasts with its end.',
  params: IdParams,
  query,
  reply,
});
