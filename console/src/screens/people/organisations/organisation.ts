import type { Static } from 'typebox';
import type { BodyOf, ReplyOf } from '../../../../../contract/route.ts';
import {
  organisationLimits,
  type listOrganisations,
  type Organisation,
  type saveOrganisation,
} from '../../../../../contract/specified/organisations.ts';
import type { Drop } from '../../../parts/tree/index.ts';
import { lengthOf } from '../../../parts/people/users/user.ts';

type Level = ReplyOf<typeof listOrganisations>;

/** A node of the tree with those who hang on it; `people` and `groups` are their numbers. */
export interface Node extends Static<typeof Organisation> {
  readonly personLinks: Level['cscpUserOrgDTOs'];
  readonly groupLinks: Level['cscpWorkGroupOrgDTOs'];
}

/** The fixed root: not stored, not draggable, only added to (specified 7.1). */
export const root: Node = {
  id: 0,
  parentId: -1,
  orgName: '',
  description: null,
  orderby: 0,
  version: 0,
  hasChildren: true,
  people: 0,
  groups: 0,
  personLinks: [],
  groupLinks: [],
};
export const isRoot = ({ id }: Pick<Node, 'id'>): boolean => id === root.id;

/** The three arrays of one level as nodes. */
export function nodesOf({ cscpOrgDTOs, cscpUserOrgDTOs, cscpWorkGroupOrgDTOs }: Level): Node[] {
  const people = Map.groupBy(cscpUserOrgDTOs, ({ orgId }) => orgId);
  const groups = Map.groupBy(cscpWorkGroupOrgDTOs, ({ orgId }) => orgId);
  return cscpOrgDTOs.map((organisation) => ({
    ...organisation,
    personLinks: people.get(organisation.id) ?? [],
    groupLinks: groups.get(organisation.id) ?? [],
  }));
}

/** Which rule speaks against a drop (specified 7.4); undefined: none. */
export const ruleAgainst = ({ target, where, parent }: Drop<Node>): 'rule.drop.root' | undefined =>
  parent === undefined || (isRoot(target) && where !== 'inside') ? 'rule.drop.root' : undefined;

/** Fields of the dialog, in its order. */
export const fields = ['orgName', 'description', 'groups', 'people'] as const;
export type Field = (typeof fields)[number];
export interface Values {
  orgName: string;
  description: string;
  groups: readonly number[];
  people: readonly number[];
}

export const emptyValues: Values = { orgName: '', description: '', groups: [], people: [] };
export const valuesOf = (node: Node): Values => ({
  orgName: node.orgName,
  description: node.description ?? '',
  groups: node.groupLinks.map(({ groupId }) => groupId),
  people: node.personLinks.map(({ userId }) => userId),
});

export type Rule = { rule: 'required' } | { rule: 'length'; min: number; max: number };

function textRule(text: string, { min, max }: { min: number; max: number }): Rule | undefined {
  const length = lengthOf(text);
  return length < min || length > max ? { rule: 'length', min, max } : undefined;
}

/**
 * Everything the dialog refuses before it asks the server (specified 7.3): the name is required, the description may be
 * empty.
 */
export function problemsOf({ orgName, description }: Values): Partial<Record<Field, Rule>> {
  const name = lengthOf(orgName) === 0 ? { rule: 'required' as const } : textRule(orgName, organisationLimits.orgName);
  const described = lengthOf(description) === 0 ? undefined : textRule(description, organisationLimits.description);
  return { ...(name ? { orgName: name } : {}), ...(described ? { description: described } : {}) };
}

const ours: Readonly<Record<string, Field>> = {
  orgName: 'orgName',
  description: 'description',
  cscpUserOrgDTOs: 'people',
  cscpWorkGroupOrgDTOs: 'groups',
};
/** `cscpUserOrgDTOs.2.userId` is a problem of the field people. */
export const fieldOf = (name: string): Field | undefined =>
  name
    .split('.')
    .map((part) => ours[part])
    .find((field) => field !== undefined);

/** The three arrays of a save: one node and all its links (specified 7.5); a new node comes with sibling order 0. */
export function bodyOf(values: Values, parentId: number, stored: Node | null): BodyOf<typeof saveOrganisation> {
  const id = stored?.id ?? null;
  const clean = (text: string): string => text.trim().normalize('NFC');
  return {
    cscpOrgDTOs: [
      {
        id,
        orgName: clean(values.orgName),
        description: clean(values.description) || null,
        parentId: stored?.parentId ?? parentId,
        orderby: stored?.orderby ?? 0,
        ...(stored ? { ifVersion: stored.version } : {}),
      },
    ],
    cscpUserOrgDTOs: values.people.map((userId) => ({ userId, orgId: id })),
    cscpWorkGroupOrgDTOs: values.groups.map((groupId) => ({ groupId, orgId: id })),
  };
}

const sameAs = (value: Values[Field]): string =>
  typeof value === 'string' ? value.trim() : value.toSorted((a, b) => a - b).join();
export const differing = (one: Values, other: Values): Field[] =>
  fields.filter((field) => sameAs(one[field]) !== sameAs(other[field]));
