import { Type } from 'typebox';
import { IdParams, route } from '../route.ts';
import { publicationBounds } from './publications.ts';

export const getPublicationRoads = route({
  method: 'GET',
  path: '/api/v1/publications/:id/roads',
  tag: 'publications',
  access: ['plan.query', 'lamp.approve'],
  areaScoped: true,
  summary:
    'Where the roads of a publication lie, by its lamps: for a map of the funnel by road. It does not change with their states.',
  params: IdParams,
  reply: Type.Object({
    /** Roads without a lamp whose place is known are absent. */
    roads: Type.Array(
      Type.Object({
        roadId: Type.Integer(),
        /** Longitude and latitude of points along it, from one end to the other. They may coincide. */
        line: Type.Array(Type.Tuple([Type.Number(), Type.Number()]), {
          minItems: 1,
          maxItems: publicationBounds.roadPoints,
        }),
      }),
    ),
    /** Lamps of the publication that are on no line: of no road, or of unknown place. */
    without: Type.Integer(),
  }),
});
