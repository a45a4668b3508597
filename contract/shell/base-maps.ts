import { Type } from 'typebox';
import { baseMapKinds } from '../../catalogue/base-maps.ts';
import { geographicSystems } from '../../catalogue/coordinates.ts';
import { Id, IdParams, Nullable, Version, listOf, route } from '../route.ts';

/** Base maps: their settings, their tiles through this server, and a trial of what a map service answers. */

export const baseMapLimits = {
  name: 40,
  address: 500,
  key: 200,
  attribution: 120,
  zoom: 22,
  fileBytes: 4 * 2 ** 30,
} as const;
/** Permissions of accounts that see maps. */
const seeMaps = ['lamp.monitor', 'device.query', 'device.import', 'site.maps'] as const;
const tag = 'base maps';
const access = 'site.maps';

const Kind = Type.Enum(baseMapKinds);
const System = Type.Enum(geographicSystems);
const Format = Type.Enum(['raster', 'vector']);
const Zoom = Type.Integer({ minimum: 0, maximum: baseMapLimits.zoom });
const TileNumber = Type.Integer({ minimum: 0, maximum: 2 ** baseMapLimits.zoom - 1 });
const Bounds = Type.Array(Type.Number(), { minItems: 4, maxItems: 4 });

const common = {
  id: Type.Integer(),
  version: Type.Integer(),
  kind: Kind,
  /** null: the name of the kind. */
  name: Nullable(Type.String()),
  style: Nullable(Type.String()),
  system: System,
  format: Format,
  minZoom: Type.Integer(),
  maxZoom: Type.Integer(),
  tileSize: Type.Integer(),
  attribution: Nullable(Type.String()),
  /** Number of pictures on top of each other; 0: no pictures are fetched. */
  layers: Type.Integer(),
  isDefault: Type.Boolean(),
} as const;
/** What a browser needs to draw it, without address and key. */
export const BaseMap = Type.Object(common);

/** The middle of the site, where an empty map begins. */
const Place = Type.Object({ longitude: Type.Number(), latitude: Type.Number() });

export const listBaseMaps = route({
  method: 'GET',
  path: '/api/v1/base-maps',
  tag,
  access: seeMaps,
  summary: 'The base maps to choose from, in their order; exactly one is the default.',
  reply: listOf(BaseMap),
});

const ArchiveFile = Type.Object({
  name: Type.String(),
  fileName: Type.String(),
  bytes: Type.Integer(),
  format: Format,
  minZoom: Type.Integer(),
  maxZoom: Type.Integer(),
  bounds: Bounds,
  attribution: Nullable(Type.String()),
});
export const BaseMapSettings = Type.Object({
  ...common,
  address: Nullable(Type.String()),
  /** A key is stored; it is never returned. */
  hasKey: Type.Boolean(),
  file: Nullable(ArchiveFile),
  allowPrivate: Type.Boolean(),
  isEnabled: Type.Boolean(),
});

export const listBaseMapSettings = route({
  method: 'GET',
  path: '/api/v1/base-map-settings',
  tag,
  access,
  summary: 'Every base map with its settings, disabled ones too, and the middle of the site.',
  reply: Type.Object({ data: Type.Array(BaseMapSettings), recordsTotal: Type.Integer(), place: Nullable(Place) }),
});

const given = {
  name: Nullable(Type.String({ maxLength: baseMapLimits.name })),
  style: Nullable(Type.String({ maxLength: 20 })),
  address: Nullable(Type.String({ maxLength: baseMapLimits.address })),
  /** Absent: unchanged; null: none. */
  key: Nullable(Type.String({ maxLength: baseMapLimits.key })),
  /** The name in the answer to the upload of an archive. */
  file: Nullable(Type.String({ pattern: '^[0-9a-f]{64}$', maxLength: 64 })),
  system: System,
  minZoom: Zoom,
  maxZoom: Zoom,
  tileSize: Type.Enum([256, 512]),
  attribution: Nullable(Type.String({ maxLength: baseMapLimits.attribution })),
  /** The service is in the site's own network: private addresses are allowed. */
  allowPrivate: Type.Boolean(),
  isEnabled: Type.Boolean(),
  isDefault: Type.Boolean(),
} as const;
const Changes = Type.Partial(Type.Object(given));

export const createBaseMap = route({
  method: 'POST',
  path: '/api/v1/base-maps',
  tag,
  access,
  action: 'map.create',
  status: 201,
  summary: 'Adds a base map, last in the order.',
  body: Type.Interface([Changes], { kind: Type.Enum(['xyz', 'pmtiles', 'tianditu', 'amap']) }),
  reply: BaseMapSettings,
});
export const updateBaseMap = route({
  method: 'PATCH',
  path: '/api/v1/base-maps/:id',
  tag,
  access,
  action: 'map.update',
  summary: 'Changes a base map. An outdated `version` is 409. Another host requires the key again.',
  params: IdParams,
  body: Type.Interface([Changes], { version: Type.Optional(Version) }),
  reply: BaseMapSettings,
});
export const deleteBaseMap = route({
  method: 'DELETE',
  path: '/api/v1/base-maps/:id',
  tag,
  access,
  action: 'map.delete',
  status: 204,
  summary: 'Deletes a base map and its archive; the built-in ones stay.',
  params: IdParams,
  reply: Type.Null(),
  replyKind: 'empty',
});
export const orderBaseMaps = route({
  method: 'PUT',
  path: '/api/v1/base-map-order',
  refuses: ['notFound'],
  tag,
  access,
  action: 'map.order',
  status: 204,
  summary: 'Sets the order in which base maps are offered: every id once.',
  body: Type.Object({ ids: Type.Array(Id, { minItems: 1, maxItems: 100, uniqueItems: true }) }),
  reply: Type.Null(),
  replyKind: 'empty',
});
export const uploadBaseMapFile = route({
  method: 'POST',
  path: '/api/v1/base-map-files',
  limits: { bytes: baseMapLimits.fileBytes },
  tag,
  access,
  action: 'map.upload',
  status: 201,
  encoding: 'bytes',
  summary: 'Takes a PMTiles archive (version 3, at most 4 GiB) and returns what it contains.',
  query: Type.Object({ name: Type.String({ minLength: 1, maxLength: 200 }) }),
  reply: ArchiveFile,
});

/** Why a service returned no picture. */
export const mapProblems = [
  'keyRefused',
  'keyMissing',
  'notFound',
  'tooMany',
  'serverError',
  'status',
  'notPicture',
  'tooLarge',
  'timeout',
  'dns',
  'refused',
  'tls',
  'network',
  'private',
  'redirects',
  'archive',
  'zoom',
] as const;
const MapAnswer = Type.Object({
  /** The requested address with a masked key; null: a file of this server was read. */
  address: Nullable(Type.String()),
  status: Nullable(Type.Integer()),
  ms: Type.Integer(),
  bytes: Nullable(Type.Integer()),
  contentType: Nullable(Type.String()),
  width: Nullable(Type.Integer()),
  height: Nullable(Type.Integer()),
  problem: Nullable(Type.Enum(mapProblems)),
  /** The message of the service or the network, unchanged. */
  detail: Nullable(Type.String()),
  /** The picture as data address. */
  picture: Nullable(Type.String()),
});
export const testBaseMap = route({
  method: 'POST',
  path: '/api/v1/base-map-tests',
  refuses: ['notFound'],
  tag,
  access,
  // Requests a tile and changes nothing.
  logged: false,
  summary:
    'Requests the tile of a place from the map service and returns its answers layer by layer; for a stored base map, or for settings before they are saved.',
  body: Type.Object({
    id: Type.Optional(Id),
    settings: Type.Optional(Type.Interface([Changes], { kind: Type.Optional(Kind) })),
    longitude: Type.Number({ minimum: -180, maximum: 180 }),
    latitude: Type.Number({ minimum: -85, maximum: 85 }),
    zoom: Zoom,
  }),
  reply: Type.Object({
    at: Type.String({ format: 'date-time' }),
    system: System,
    /** The place in the service's own system, and the tile that contains it. */
    stated: Place,
    tile: Type.Object({ z: Type.Integer(), x: Type.Integer(), y: Type.Integer() }),
    layers: Type.Array(MapAnswer),
  }),
});

/** Pictures are not API answers: browsers may cache them, under an address that changes with the settings. */
export const getTile = route({
  method: 'GET',
  path: '/tiles/:id/:version/:layer/:z/:x/:y',
  tag,
  access: seeMaps,
  replyKind: 'file',
  sends: ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/x-protobuf'],
  summary: 'A tile of a base map in its own coordinate system, fetched from its service by this server.',
  params: Type.Object({
    id: Id,
    version: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
    layer: Type.Integer({ minimum: 0, maximum: 3 }),
    z: Zoom,
    x: TileNumber,
    y: TileNumber,
  }),
  reply: Type.Unknown(),
});
