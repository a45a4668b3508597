import { Type } from 'typebox';
import { IdParams, Size, route } from '../route.ts';

/** The tree of organisations beyond the specified calls: search, and the contents that a deletion removes. */

export const FoundOrganisation = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  /** From the top to its parent. */
  path: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() })),
});

export const findOrganisations = route({
  method: 'GET',
  path: '/api/v1/organisations',
  tag: 'organisations',
  access: ['cscp.org.query', 'cscp.org.edit'],
  summary: 'Organisations whose name contains a text, with their path in the tree; the first ones of a larger number.',
  query: Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }), size: Type.Optional(Size(100)) }),
  reply: Type.Object({ data: Type.Array(FoundOrganisation), recordsTotal: Type.Integer() }),
});

/** People and groups count once each. Groups count only in work areas that the caller sees. */
export const getOrganisationContents = route({
  method: 'GET',
  path: '/api/v1/organisations/:id/contents',
  tag: 'organisations',
  access: ['cscp.org.query', 'cscp.org.edit'],
  summary: 'How much an organisation and its descendants contain: what a deletion removes.',
  params: IdParams,
  reply: Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    descendants: Type.Integer(),
    people: Type.Integer(),
    groups: Type.Integer(),
  }),
});
