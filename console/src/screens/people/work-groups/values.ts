import type { BodyOf, ReplyOf } from '../../../../../contract/route.ts';
import {
  workGroupLimits,
  type createWorkGroup,
  type getWorkGroup,
} from '../../../../../contract/specified/work-groups.ts';
import { lengthOf } from '../../../parts/people/users/user.ts';

export type Group = ReplyOf<typeof getWorkGroup>;

/** Fields by their names on the wire, in the order of the page. */
export const fields = ['groupName', 'description', 'userDetail', 'workId'] as const;
export type Field = (typeof fields)[number];
export interface Values {
  groupName: string;
  description: string;
  userDetail: readonly number[];
  workId: number | null;
}

export const valuesOf = (group: Group): Values => ({
  groupName: group.groupName,
  description: group.description,
  userDetail: group.users,
  workId: group.workId,
});

/** A new group belongs to the project the operator works in, if he chose one. */
export const emptyValues = (workId: string | undefined): Values => ({
  groupName: '',
  description: '',
  userDetail: [],
  workId: workId === undefined ? null : Number(workId) || null,
});

/** What the page itself refuses. */
export type Rule = { rule: 'required' } | { rule: 'length'; min: number; max: number };

function textProblem(value: string, { min, max }: { min: number; max: number }): Rule | undefined {
  const length = lengthOf(value);
  return length === 0 ? { rule: 'required' } : length < min || length > max ? { rule: 'length', min, max } : undefined;
}

/** Everything the page refuses before it asks the server (specified 6.3). */
export function problemsOf(values: Values): Partial<Record<Field, Rule>> {
  const found: Record<Field, Rule | undefined> = {
    groupName: textProblem(values.groupName, workGroupLimits.groupName),
    description: textProblem(values.description, workGroupLimits.description),
    userDetail: values.userDetail.length === 0 ? { rule: 'required' } : undefined,
    workId: values.workId === null ? { rule: 'required' } : undefined,
  };
  return Object.fromEntries(Object.entries(found).filter(([, problem]) => problem !== undefined));
}

export const bodyOf = (values: Values): BodyOf<typeof createWorkGroup> => ({
  groupName: values.groupName.trim().normalize('NFC'),
  description: values.description.trim().normalize('NFC'),
  userDetail: values.userDetail.map((userId) => ({ userId })),
  workId: values.workId,
});

const sameAs = (value: Values[Field]): string =>
  Array.isArray(value) ? value.toSorted((a: number, b: number) => a - b).join() : String(value ?? '').trim();

export const differing = (one: Values, other: Values): Field[] =>
  fields.filter((field) => sameAs(one[field]) !== sameAs(other[field]));
