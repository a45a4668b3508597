import { Type } from 'typebox';
import { Id, Nullable, Page, Size, Timestamp, listOf, route } from '../route.ts';

/**
 * Positions of all devices: the columns of the device map (see contract/device-map.ts), and devices without a position.
 */

const Whole = Type.Array(Type.Integer());
const families = Type.Optional(Type.String({ maxLength: 1000 }));

export const getDeviceMap = route({
  method: 'GET',
  path: '/api/v1/devices/map',
  tag: 'devices',
  access: 'device.query',
  areaScoped: true,
  summary:
    'Every device with a position, its own or its pole’s, as difference-coded columns. With `known`, the version that the caller has, the columns come only if they changed.',
  query: Type.Object({
    /** Several comma-separated; default: all. */
    families,
    /** Only devices of this road. */
    roadId: Type.Optional(Id),
    known: Type.Optional(Type.String({ maxLength: 40 })),
  }),
  reply: Type.Object({
    at: Timestamp,
    version: Type.String(),
    families: Type.Array(Type.String()),
    /** null: nothing has changed since the version `known`. Devices at one place follow each other, the pole first. */
    columns: Nullable(Type.Object({ ids: Whole, kinds: Whole, dx: Whole, dy: Whole })),
  }),
});

export const UnplacedDevice = Type.Object({
  id: Type.Integer(),
  family: Type.String(),
  code: Type.String(),
  name: Nullable(Type.String()),
  roadName: Nullable(Type.String()),
  version: Type.Integer(),
});

export const listUnplacedDevices = route({
  method: 'GET',
  path: '/api/v1/devices/unplaced',
  tag: 'devices',
  access: 'device.query',
  areaScoped: true,
  summary: 'Devices without a position: they have none of their own, and no pole with one; poles first, by code.',
  query: Type.Object({
    families,
    q: Type.Optional(Type.String({ maxLength: 100 })),
    page: Type.Optional(Page),
    size: Type.Optional(Size(100)),
  }),
  reply: listOf(UnplacedDevice),
});
