import type { Static } from 'typebox';
import type { BodyOf } from '../../../../contract/route.ts';
import {
  workGroupLimits,
  type createWorkGroup,
  type updateWorkGroup,
  type WorkGroup,
  type WorkGroupRow,
} from '../../../../contract/specified/work-groups.ts';
import { refuse, type Refusal, type RefusalDetails, type Sound } from '../../platform/http/index.ts';
import { workGroupTexts, type WorkGroupTexts } from './texts.ts';
import type { ListedGroup, StoredGroup } from './work-groups.store.ts';

export type Problem = Extract<NonNullable<RefusalDetails['fields']>[number], { say: unknown }>;

/** What a form says of a group, by our names: absent fields are undefined. */
export interface GroupInput {
  readonly name?: string;
  readonly description?: string;
  readonly workAreaId?: number;
  readonly memberIds?: readonly number[];
  readonly organisationId?: number | null;
}

type TextKey = Exclude<keyof WorkGroupTexts, 'created' | 'updated' | 'deleted'>;
export const worded = (field: string, rule: string, text: TextKey): Problem => ({
  field,
  rule,
  say: (language) => workGroupTexts(language)[text],
});

/** All problems at once; the title says the first in words, because clients of the family show nothing else. */
export function refuseProblems(problems: readonly Problem[]): Refusal {
  const [first] = problems;
  return refuse('invalidInput', {}, { fields: problems, ...(first ? { title: first.say } : {}) });
}

const clean = (text: string | null | undefined): string => text?.trim().normalize('NFC') ?? '';

/**
 * Reads a form with everything that is wrong in it (specified 6.3): lengths in characters after trimming. `whole`: no
 * field may be absent.
 */
export function groupOf(
  body: Sound<BodyOf<typeof createWorkGroup> | BodyOf<typeof updateWorkGroup>>,
  whole: boolean,
): { input: GroupInput; problems: Problem[] } {
  const problems: Problem[] = [];
  const text = (field: 'groupName' | 'description', required: TextKey, tooLong: TextKey): string | undefined => {
    if (body[field] === undefined && !whole) return undefined;
    const value = clean(body[field]);
    const { min, max } = workGroupLimits[field];
    const length = [...value].length;
    if (length === 0) problems.push(worded(field, 'required', required));
    else if (length < min || length > max)
      problems.push(worded(field, length < min ? 'minLength' : 'maxLength', tooLong));
    return value;
  };
  const name = text('groupName', 'nameRequired', 'nameLength');
  const description = text('description', 'descriptionRequired', 'descriptionLength');
  const memberIds =
    body.userDetail === undefined && !whole
      ? undefined
      : [...new Set((body.userDetail ?? []).flatMap(({ userId }) => userId ?? []))];
  if (memberIds?.length === 0) problems.push(worded('userDetail', 'minItems', 'membersRequired'));
  if (body.workId === null || (body.workId === undefined && whole))
    problems.push(worded('workId', 'required', 'projectRequired'));
  const input = { name, description, memberIds, workAreaId: body.workId ?? undefined, organisationId: body.orgId };
  return {
    input: Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as GroupInput,
    problems,
  };
}

const common = (group: ListedGroup | StoredGroup) => ({
  id: group.id,
  groupName: group.name,
  description: group.description,
  orgId: group.organisationId,
  workId: group.workAreaId,
  workName: group.workName,
  version: group.version,
});
export const rowOf = (group: ListedGroup): Static<typeof WorkGroupRow> => ({
  ...common(group),
  members: group.members,
});
export const groupDetail = (group: StoredGroup, memberIds: readonly number[]): Static<typeof WorkGroup> => ({
  ...common(group),
  userDetail: memberIds.map((userId) => ({ userId })),
  users: [...memberIds],
});
