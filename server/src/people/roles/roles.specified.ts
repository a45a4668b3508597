import type { BodyOf } from '../../../../contract/route.ts';
import { roleLimits, type RoleDetail, type createRole, type updateRole } from '../../../../contract/specified/roles.ts';
import type { RefusalDetails, Sound } from '../../platform/http/index.ts';
import type { Role } from './roles.store.ts';

export type Problem = NonNullable<RefusalDetails['fields']>[number];
type RoleBody = Sound<BodyOf<typeof createRole> & Partial<BodyOf<typeof updateRole>>>;
type MenuIds = RoleBody['menus'];

/** A role as a form sends it: absent fields are undefined. */
export interface RoleInput {
  readonly name: string | undefined;
  readonly icon: string | undefined;
  readonly extent: string | undefined;
  readonly parentId: number | undefined;
  readonly menus: readonly number[] | undefined;
  readonly problems: readonly Problem[];
}

const standardIcon = 'md-key';
const longestIcon = 100;

/** Reads a new role: name and extent are required, the icon defaults to a key, the parent to none (specified 4.2). */
export const newRoleOf = (body: RoleBody): RoleInput =>
  roleOf({
    ...body,
    name: body.name ?? null,
    roleExtent: body.roleExtent ?? null,
    icon: body.icon ?? standardIcon,
    parentId: body.parentId ?? 0,
  });

/** Reads a change of a role, with everything wrong in it at once. */
export function roleOf(body: RoleBody): RoleInput {
  const name = clean(body.name);
  const extent = clean(body.roleExtent);
  const icon = clean(body.icon);
  const menus = idsOf(body.menus);
  return {
    name,
    icon,
    extent,
    parentId: body.parentId === null ? 0 : body.parentId,
    menus: menus === 'unreadable' ? undefined : menus,
    problems: [
      ...textProblems('name', name, roleLimits.name.max),
      ...textProblems('roleExtent', extent, roleLimits.roleExtent.max),
      ...textProblems('icon', icon, longestIcon),
      ...(menus === 'unreadable' ? [{ field: 'menus', rule: 'type' } as const] : []),
    ],
  };
}

const clean = (text: string | null | undefined): string | undefined =>
  text === undefined ? undefined : (text ?? '').trim().normalize('NFC');

function textProblems(field: string, text: string | undefined, limit: number): Problem[] {
  if (text === undefined) return [];
  if (text === '') return [{ field, rule: 'required' }];
  return [...text].length > limit ? [{ field, rule: 'maxLength', values: { limit } }] : [];
}

/** Ids of a list or of comma text; empty text and null are none. */
function idsOf(menus: MenuIds): number[] | undefined | 'unreadable' {
  if (menus === undefined) return undefined;
  if (menus === null) return [];
  const parts =
    typeof menus === 'string'
      ? menus
          .split(',')
          .map((part) => part.trim())
          .filter((part) => part !== '')
      : menus.map(String);
  return parts.every((part) => /^[1-9]\d{0,14}$/.test(part)) ? [...new Set(parts.map(Number))] : 'unreadable';
}

export const detailOf = (role: Role, manageable: boolean): RoleDetail => ({
  id: role.id,
  name: role.name,
  icon: role.icon,
  roleExtent: role.extent,
  parentId: role.parentId,
  creatorName: role.creatorName,
  version: role.version,
  createTime: role.createdAt.toISOString(),
  updateTime: role.updatedAt.toISOString(),
  manageable,
});
