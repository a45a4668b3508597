import { Type } from 'typebox';
import { baseMapKinds } from '../../catalogue/base-maps.ts';
import { geographicSystems } from '../../catalogue/coordinates.ts';
import { Id, IdParams, Nullable, Version, listOf, route } from '../route.ts';

/**
 * What lies under the lamps: base maps as settings, their tiles through this server, and what a map service really
 * answers.
 */

export const baseMapLimits = {
  name: 40,
  address: 500,
  key: 200,
  attribution: 120,
  zoom: 22,
  fileBytes: 4 * 2 ** 30,
} as const;
/** Who sees maps. */
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
  /** Null: the kind's own name. */
  name: Nullable(Type.String()),
  style: Nullable(Type.String()),
  system: System,
  format: Format,
  minZoom: Type.Integer(),
  maxZoom: Type.Integer(),
  tileSize: Type.Integer(),
  attribution: Nullable(Type.String()),
  /** How many pictures lie on each other; 0 where nothing is asked for. */
  layers: Type.Integer(),
  isDefault: Type.Boolean(),
} as const;
/** What a browser needs to draw it; no address and no key. */
export const BaseMap = Type.Object(common);

/** Where a map begins that has nothing to show: the middle of the site. */
const Place = Type.Object({ longitude: Type.Number(), latitude: Type.Number() });

export const listBaseMaps = route({
  method: 'GET',
  path: '/api/v1/base-maps',
  tag,
  access: seeMaps,
  summary: 'The base maps one may choose from, in their order; exactly one is the default.',
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
  /** A key is kept; it is never told. */
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
  /** Absent: as it is; null: none. */
  key: Nullable(Type.String({ maxLength: baseMapLimits.key })),
  /** The name that the upload of an archive answered. */
  file: Nullable(Type.String({ pattern: '^[0-9a-f]{64}$', maxLength: 64 })),
  system: System,
  minZoom: Zoom,
  maxZoom: Zoom,
  tileSize: Type.Enum([256, 512]),
  attribution: Nullable(Type.String({ maxLength: baseMapLimits.attribution })),
  /** The service stands in the site's own network: private addresses may be asked. */
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
  summary: 'One more base map, last in the order.',
  body: Type.Interface([Changes], { kind: Type.Enum(['xyz', 'pmtiles', 'tianditu', 'amap']) }),
  reply: BaseMapSettings,
});
export const updateBaseMap = route({
  method: 'PATCH',
  path: '/api/v1/base-maps/:id',
  tag,
  access,
  action: 'map.update',
  summary: 'Changes a base map. With `version`, an old one is 409. Another host needs the key anew.',
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
  summary: 'The order in which base maps are offered: every id once.',
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
  summary: 'Takes a PMTiles archive (version 3, at most 4 GiB) and tells what is in it.',
  query: Type.Object({ name: Type.String({ minLength: 1, maxLength: 200 }) }),
  reply: ArchiveFile,
});

/** Why a service gave no picture. */
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
  /** The address that was asked, the key masked; null where a file of this server was read. */
  address: Nullable(Type.String()),
  status: Nullable(Type.Integer()),
  ms: Type.Integer(),
  bytes: Nullable(Type.Integer()),
  contentType: Nullable(Type.String()),
  width: Nullable(Type.Integer()),
  height: Nullable(Type.Integer()),
  problem: Nullable(Type.Enum(mapProblems)),
  /** What the service or the network said, as they said it. */
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
  // Asks a service and changes nothing.
  logged: false,
  summary:
    'Asks the map service for the tile of a place and tells what it really answered, layer by layer; of a stored base map, or of settings before they are saved.',
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
    /** The place as the service's own system states it, and the tile that holds it. */
    stated: Place,
    tile: Type.Object({ z: Type.Integer(), x: Type.Integer(), y: Type.Integer() }),
    layers: Type.Array(MapAnswer),
  }),
});

/**
 * Pictures are no answers of the API: they may be kept by the browser, under an address that changes with the settings.
 */
export const getTile = route({
  method: 'GET',
  path: '/tiles/:id/:version/:layer/:z/:x/:y',
  tag,
  access: seeMaps,
  replyKind: 'file',
  sends: ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/x-protobuf'],
  summary: 'A tile of a base map in its own coordinate system, asked from its service by this server.',
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
