import { Type } from 'typebox';
import { Id, IdList, IdParams, Nullable, Page, Size, Version, specified } from '../route.ts';

/** Work groups (specified 6.1 to 6.7). A group belongs to one work area (project); its members see that area. */

export const workGroupLimits = { groupName: { min: 3, max: 10 }, description: { min: 3, max: 18 } } as const;

const Text = Type.String({ maxLength: 200 });
const Member = Type.Object({ userId: Type.Integer() });

export const WorkGroup = Type.Object({
  id: Type.Integer(),
  groupName: Type.String(),
  description: Type.String(),
  orgId: Nullable(Type.Integer()),
  workId: Type.Integer(),
  workName: Type.String(),
  userDetail: Type.Array(Member),
  users: Type.Array(Type.Integer()),
  version: Type.Integer(),
});
/** A row of the list: `members` is a count, because a group may have too many to list. */
export const WorkGroupRow = Type.Object({
  id: Type.Integer(),
  groupName: Type.String(),
  description: Type.String(),
  orgId: Nullable(Type.Integer()),
  workId: Type.Integer(),
  workName: Type.String(),
  members: Type.Integer(),
  version: Type.Integer(),
});

export const listWorkGroups = specified({
  method: 'GET',
  path: '/api/cscpWorkGroups',
  aliases: ['/api/system/cscpWorkGroups'],
  tag: 'work groups',
  access: 'cscp.wg.query',
  areaScoped: true,
  summary:
    'Work groups by name or description, pages from 1 (0 is also the first). Sort: id, groupName, workName, updateTime.',
  query: Type.Object({
    /** Both carry the same text of the search field; either may be absent. */
    groupName: Type.Optional(Text),
    description: Type.Optional(Text),
    page: Type.Optional(Page),
    size: Type.Optional(Size()),
    sort: Type.Optional(Type.String({ maxLength: 60 })),
  }),
  reply: Type.Object({
    data: Type.Array(WorkGroupRow),
    recordsTotal: Type.Integer(),
    recordsFiltered: Type.Integer(),
    recordsTotalExact: Type.Optional(Type.Boolean()),
  }),
});

export const getWorkGroup = specified({
  method: 'GET',
  path: '/api/cscpWorkGroups/:id',
  aliases: ['/api/system/cscpWorkGroups/:id'],
  tag: 'work groups',
  access: ['cscp.wg.query', 'cscp.wg.edit', 'cscp.user.edit'],
  areaScoped: true,
  summary: 'One work group with its members.',
  params: IdParams,
  reply: WorkGroup,
});

/** For a thousand members, each with all fields that clients of the family send. */
const manyMembers = { bytes: 1024 * 1024, entries: 40_000 } as const;
const members = Type.Array(Type.Object({ userId: Id }), { maxItems: 1000 });
const Saved = Type.Object({ success: Type.Literal(true), msg: Type.String(), id: Type.Integer() });

export const createWorkGroup = specified({
  method: 'POST',
  path: '/api/cscpWorkGroups',
  limits: manyMembers,
  aliases: ['/api/system/cscpWorkGroups'],
  tag: 'work groups',
  access: 'cscp.wg.add',
  action: 'workGroup.create',
  areaScoped: true,
  summary: 'Creates a work group.',
  body: Type.Object({
    groupName: Type.Optional(Nullable(Text)),
    description: Type.Optional(Nullable(Text)),
    orgId: Type.Optional(Nullable(Id)),
    userDetail: Type.Optional(Nullable(members)),
    workId: Type.Optional(Nullable(Id)),
  }),
  reply: Saved,
});

export const updateWorkGroup = specified({
  method: 'PUT',
  path: '/api/cscpWorkGroups',
  refuses: ['notFound'],
  limits: manyMembers,
  aliases: ['/api/system/cscpWorkGroups'],
  tag: 'work groups',
  access: ['cscp.wg.edit', 'cscp.user.edit'],
  action: 'workGroup.update',
  areaScoped: true,
  summary: 'Changes a work group; absent fields stay; an outdated `version` is 409.',
  body: Type.Object({
    id: Id,
    groupName: Type.Optional(Nullable(Text)),
    description: Type.Optional(Nullable(Text)),
    orgId: Type.Optional(Nullable(Id)),
    userDetail: Type.Optional(Nullable(members)),
    workId: Type.Optional(Nullable(Id)),
    version: Type.Optional(Nullable(Version)),
  }),
  reply: Saved,
});

export const deleteWorkGroup = specified({
  method: 'DELETE',
  path: '/api/cscpWorkGroups/:id',
  aliases: ['/api/system/cscpWorkGroups/:id'],
  tag: 'work groups',
  access: ['cscp.wg.del', 'cscp.user.del'],
  action: 'workGroup.delete',
  areaScoped: true,
  summary: 'Deletes a work group; its members no longer see the area through it.',
  params: IdParams,
  reply: Type.Object({ success: Type.Literal(true), msg: Type.String() }),
});

/** For the organisation editor. */
export const listWorkGroupOptions = specified({
  method: 'GET',
  path: '/api/system/cscpWorkGroupsOr',
  tag: 'work groups',
  access: ['cscp.wg.query', 'cscp.org.edit'],
  summary: 'Work groups as options.',
  reply: Type.Object({
    data: Type.Array(Type.Object({ id: Type.Integer(), groupName: Type.String() })),
    recordsTotal: Type.Integer(),
  }),
});

/**
 * For members of groups and people of organisations. Each given text is searched in its own field; one match is enough.
 */
export const listUserOptions = specified({
  method: 'GET',
  path: '/api/system/cscpUserDetailsOr',
  tag: 'users',
  access: ['cscp.user.query', 'cscp.user.edit', 'cscp.wg.add', 'cscp.wg.edit', 'cscp.org.edit'],
  summary: 'Accounts as options, by text in any of the fields; pages from 1 (0 is also the first).',
  query: Type.Object({
    page: Type.Optional(Page),
    size: Type.Optional(Size()),
    username: Type.Optional(Text),
    familyName: Type.Optional(Text),
    name: Type.Optional(Text),
    mobile: Type.Optional(Text),
    email: Type.Optional(Text),
    discTitle: Type.Optional(Text),
    discDetail: Type.Optional(Text),
    /** Ids of selected accounts, comma-separated: to name them (ours). */
    ids: Type.Optional(IdList),
  }),
  reply: Type.Object({
    data: Type.Array(
      Type.Object({
        id: Type.Integer(),
        userId: Type.Integer(),
        familyName: Nullable(Type.String()),
        name: Nullable(Type.String()),
        username: Type.String(),
        mobile: Nullable(Type.String()),
      }),
    ),
    recordsTotal: Type.Integer(),
    recordsTotalExact: Type.Optional(Type.Boolean()),
  }),
});
