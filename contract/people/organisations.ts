import { Type } from 'typebox';
import { IdParams, Size, route } from '../route.ts';

/** The tree of organisations beyond the specified calls: finding one in it, and what goes when one is deleted. */

export const FoundOrganisation = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  /** From the top down to its parent. */
  path: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() })),
});

export const findOrganisations = route({
  method: 'GET',
  path: '/api/v1/organisations',
  tag: 'organisations',
  access: ['cscp.org.query', 'cscp.org.edit'],
  summary:
    'Organisations whose name contains a text, with where they stand in the tree; the first ones of a larger number.',
  query: Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }), size: Type.Optional(Size(100)) }),
  reply: Type.Object({ data: Type.Array(FoundOrganisation), recordsTotal: Type.Integer() }),
});

/** People and groups are counted once each, however often they occur; groups only in work areas the caller sees. */
export const getOrganisationContents = route({
  method: 'GET',
  path: '/api/v1/organisations/:id/contents',
  tag: 'organisations',
  access: ['cscp.org.query', 'cscp.org.edit'],
  summary: 'How much lies in an organisation, its descendants included: what is lost when it is deleted.',
  params: IdParams,
  reply: Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    descendants: Type.Integer(),
    people: Type.Integer(),
    groups: Type.Integer(),
  }),
});
