import { randomBytes } from 'node:crypto';
import { hashPassword } from '../../people/accounts/index.ts';
import { findEntries, menuTree } from '../../people/menus/index.ts';
import { insertOrganisation, replaceGroups, replacePeople } from '../../people/organisations/index.ts';
import { addRole } from '../../people/roles/index.ts';
import { addPerson } from '../../people/users/index.ts';
import { insertGroup, replaceMembers } from '../../people/work-groups/index.ts';
import type { Transaction } from '../../platform/db/index.ts';
import { organisation, people, roles, type RoleKey, type Username } from './people-of-the-city.ts';

/** Ids of the accounts by name. */
export type PeopleIds = Readonly<Record<Username, number>>;

interface PeopleParts {
  readonly workAreaId: number;
  /** The account that every installation has. */
  readonly creator: { readonly accountId: number; readonly username: string };
  /** When each signed in last. */
  readonly lastLoginOf: (username: Username) => Date | null;
  readonly now: Date;
}

const dayMs = 86_400_000;
/** Accounts are older than their first day in the logs, ms. */
const knownForMs = 80 * dayMs;

/**
 * Numbers of a prefix that no operator gives out, addresses of a domain that stands for nobody (RFC 2606): who is
 * called by mistake is nobody.
 */
const contactOf = (username: string, index: number) => ({
  mobile: `142000000${String(index + 11)}`,
  email: `${username}@example.com`,
});

/**
 * Makes the people of the city with their roles, organisations and groups. One password that nobody has seen is hashed
 * for all of them and forgotten: nobody can sign in before an administrator resets it.
 */
export async function seedPeople(tx: Transaction, parts: PeopleParts): Promise<PeopleIds> {
  const tree = menuTree(await findEntries(tx));
  const roleIds = new Map<RoleKey, number>();
  for (const key of Object.keys(roles) as RoleKey[])
    roleIds.set(key, await addRole(tx, tree, { ...roles[key], creator: parts.creator }));
  const passwordHash = await hashPassword(randomBytes(32).toString('base64url'));
  const ids: Partial<Record<Username, number>> = {};
  for (const [index, { role, shift: _shift, address: _address, ...person }] of people.entries())
    ids[person.username] = await addPerson(tx, {
      username: person.username,
      familyName: person.familyName,
      givenName: person.givenName,
      title: person.title,
      level: person.level,
      ...contactOf(person.username, index),
      roleIds: [roleIds.get(role) ?? 0],
      passwordHash,
      createdAt: new Date(parts.now.getTime() - knownForMs),
      lastLoginAt: parts.lastLoginOf(person.username),
      disabled: 'leftDaysAgo' in person,
    });
  const known = ids as PeopleIds;
  await seedOrganisation(tx, organisation, 0, 0, known, parts.workAreaId);
  return known;
}

async function seedOrganisation(
  tx: Transaction,
  declared: typeof organisation,
  parentId: number,
  sortOrder: number,
  ids: PeopleIds,
  workAreaId: number,
): Promise<void> {
  const { name, description = null, people: members = [], groups = [], children = [] } = declared;
  const id = await insertOrganisation(tx, { name, description, parentId, sortOrder });
  if (members.length > 0)
    await replacePeople(
      tx,
      id,
      members.map((username) => ids[username]),
    );
  const groupIds: number[] = [];
  for (const group of groups) {
    const groupId = await insertGroup(tx, { name: group.name, description: group.description, workAreaId });
    await replaceMembers(
      tx,
      groupId,
      group.members.map((username) => ids[username]),
    );
    groupIds.push(groupId);
  }
  if (groupIds.length > 0) await replaceGroups(tx, id, groupIds, 'all');
  for (const [index, child] of children.entries()) await seedOrganisation(tx, child, id, index, ids, workAreaId);
}
