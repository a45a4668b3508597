import {
  createBaseMap,
  deleteBaseMap,
  getTile,
  listBaseMaps,
  listBaseMapSettings,
  orderBaseMaps,
  testBaseMap,
  updateBaseMap,
  uploadBaseMapFile,
} from '../../../../contract/shell/base-maps.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import type { BaseMaps } from './base-maps.service.ts';

export const baseMapsRoutes = (maps: BaseMaps): Binding[] => [
  bind(listBaseMaps, () => maps.list()),
  bind(listBaseMapSettings, () => maps.settings()),
  bind(createBaseMap, ({ body }, ctx) => maps.create(ctx, body), {
    rules: ({ body = {} }) => maps.problems.ofNew(body),
  }),
  bind(updateBaseMap, ({ params, body }, ctx) => maps.update(ctx, params.id, body), {
    rules: ({ params, body = {} }) => maps.problems.ofChange(params?.id, body),
  }),
  bind(deleteBaseMap, ({ params }, ctx) => maps.remove(ctx, params.id)),
  bind(orderBaseMaps, ({ body }, ctx) => maps.order(ctx, body.ids), { rules: 'none' }),
  bind(uploadBaseMapFile, ({ query }, ctx) => maps.upload(ctx, query.name), { rules: 'none' }),
  bind(testBaseMap, ({ body }) => maps.test(body), { rules: 'none' }),
  bind(getTile, async ({ params }, ctx) => {
    const tile = await maps.tile(params);
    // Only this browser may keep it; other settings are another address.
    ctx.setHeader('cache-control', 'private, max-age=86400');
    return tile;
  }),
];
