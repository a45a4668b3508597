import { Type } from 'typebox';
import { Id, IdOrNone, Nullable, Order, Version, byBody, specified } from '../route.ts';

/** Organisations (specified 7.1 to 7.8). */

export const organisationLimits = { orgName: { min: 3, max: 10 }, description: { min: 3, max: 18 } } as const;

const Text = Type.String({ maxLength: 200 });
export const Organisation = Type.Object({
  id: Type.Integer(),
  orgName: Type.String(),
  description: Nullable(Type.String()),
  parentId: Type.Integer(),
  orderby: Type.Integer(),
  /** Beyond the specification: columns of the tree. */
  version: Type.Integer(),
  hasChildren: Type.Boolean(),
  people: Type.Integer(),
  groups: Type.Integer(),
});
const UserLink = Type.Object({
  userId: Type.Integer(),
  orgId: Type.Integer(),
  username: Type.String(),
  familyName: Nullable(Type.String()),
  name: Nullable(Type.String()),
});
const GroupLink = Type.Object({ groupId: Type.Integer(), orgId: Type.Integer(), groupName: Type.String() });

export const listOrganisations = specified({
  method: 'GET',
  path: '/api/system/cscpOrgs/all',
  refuses: ['notFound'],
  tag: 'organisations',
  access: ['cscp.org.query', 'cscp.org.edit'],
  summary: 'The direct children of an organisation (0: the root) in order, with their people and work groups.',
  query: Type.Object({ parentId: Type.Optional(Nullable(IdOrNone)) }),
  reply: Type.Object({
    cscpOrgDTOs: Type.Array(Organisation),
    cscpUserOrgDTOs: Type.Array(UserLink),
    cscpWorkGroupOrgDTOs: Type.Array(GroupLink),
  }),
});

/**
 * Ours: a caller that sends the version it read gets 409 if the node has changed since. It is not called `version`,
 * because clients of the family send back whole nodes as they once read them and must not be refused.
 */
const IfVersion = Type.Optional(Nullable(Version));

/** For thousands of rows, each with all fields that clients of the family send. */
const manyLinks = { bytes: 3 * 1024 * 1024, entries: 100_000 } as const;
const Node = Type.Object({
  id: Type.Optional(Nullable(Id)),
  orgName: Type.Optional(Nullable(Text)),
  description: Type.Optional(Nullable(Text)),
  parentId: Type.Optional(Nullable(IdOrNone)),
  orderby: Type.Optional(Nullable(Order)),
  ifVersion: IfVersion,
});

function savesNew(nodes: unknown): boolean {
  const node: unknown = Array.isArray(nodes) ? nodes[0] : nodes;
  return typeof node !== 'object' || node === null || !('id' in node) || node.id == null;
}

/** `cscpOrgDTOs` holds exactly one node, as an object or in a list; absent link lists leave the links as they are. */
export const saveOrganisation = specified({
  method: 'POST',
  path: '/api/system/cscpOrgs/save',
  refuses: ['notFound'],
  limits: manyLinks,
  tag: 'organisations',
  access: 'cscp.org.edit',
  action: byBody('organisation.save', (body) =>
    savesNew(body['cscpOrgDTOs']) ? 'organisation.create' : 'organisation.update',
  ),
  summary: 'Creates or changes one organisation and replaces its people and work groups.',
  body: Type.Object({
    cscpOrgDTOs: Type.Union([Type.Array(Node, { minItems: 1, maxItems: 1 }), Node]),
    cscpUserOrgDTOs: Type.Optional(
      Nullable(Type.Array(Type.Object({ userId: Id, orgId: Type.Optional(Nullable(IdOrNone)) }), { maxItems: 5000 })),
    ),
    cscpWorkGroupOrgDTOs: Type.Optional(
      Nullable(Type.Array(Type.Object({ groupId: Id, orgId: Type.Optional(Nullable(IdOrNone)) }), { maxItems: 5000 })),
    ),
  }),
  reply: Type.Object({ id: Type.Integer() }),
});

export const deleteOrganisations = specified({
  method: 'DELETE',
  path: '/api/system/cscpOrgs/delCscpOrg',
  refuses: ['notFound'],
  limits: { bytes: 512 * 1024, entries: 20_000 },
  tag: 'organisations',
  access: 'cscp.org.edit',
  action: 'organisation.delete',
  summary: 'Deletes organisations with all their descendants, in one transaction.',
  /** A list of nodes or of their ids, or one node. */
  body: Type.Object({
    cscpOrgDTOs: Type.Union([
      Type.Array(Type.Union([Type.Object({ id: Id }), Id]), { minItems: 1, maxItems: 1000 }),
      Type.Object({ id: Id }),
    ]),
  }),
  reply: Type.Object({ success: Type.Literal(true), msg: Type.String() }),
});

/**
 * All or nothing: a cycle, a missing parent or a broken drag rule is 400 and nothing changes. With `ifVersion` (ours) a
 * drop on an outdated tree is 409: a node has changed meanwhile, or its new siblings are no longer numbered from 1
 * without a gap (one alone: 0).
 */
export const moveOrganisations = specified({
  method: 'POST',
  path: '/api/system/cscpOrgs/updateOrg',
  refuses: ['notFound'],
  limits: manyLinks,
  tag: 'organisations',
  access: 'cscp.org.edit',
  action: 'organisation.move',
  summary: 'Stores the result of a drag: order and parent of the nodes sent.',
  body: Type.Array(
    Type.Object({
      id: Id,
      parentId: Type.Optional(Nullable(IdOrNone)),
      orderby: Type.Optional(Nullable(Order)),
      ifVersion: IfVersion,
    }),
    { minItems: 1, maxItems: 10_000 },
  ),
  reply: Type.Object({ success: Type.Literal(true), msg: Type.String() }),
});
