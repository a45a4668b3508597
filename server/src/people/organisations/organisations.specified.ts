import type { BodyOf, ReplyOf } from '../../../../contract/route.ts';
import {
  organisationLimits,
  type deleteOrganisations,
  type listOrganisations,
  type saveOrganisation,
} from '../../../../contract/specified/organisations.ts';
import { refuse, type Refusal, type RefusalDetails, type Sound } from '../../platform/http/index.ts';
import type { GroupLink, ListedOrganisation, PersonLink } from './organisations.store.ts';
import { organisationTexts, type OrganisationTexts } from './texts.ts';

export type Problem = Extract<NonNullable<RefusalDetails['fields']>[number], { say: unknown }>;

/** What the editor says of one organisation, by our names: absent fields are undefined, 0 is the root. */
export interface OrganisationInput {
  readonly id: number | null;
  readonly name: string | undefined;
  readonly description: string | null | undefined;
  readonly parentId: number | undefined;
  readonly sortOrder: number | undefined;
  readonly version: number | null | undefined;
  readonly people: readonly number[] | undefined;
  readonly groups: readonly number[] | undefined;
}

type TextKey = Exclude<keyof OrganisationTexts, 'deleted' | 'moved'>;
export const worded = (field: string, rule: string, text: TextKey): Problem => ({
  field,
  rule,
  say: (language) => organisationTexts(language)[text],
});

/** All problems at once; the title says the first in words. */
export function refuseProblems(problems: readonly Problem[]): Refusal {
  const [first] = problems;
  return refuse('invalidInput', {}, { fields: problems, ...(first ? { title: first.say } : {}) });
}

const clean = (text: string | null | undefined): string => text?.trim().normalize('NFC') ?? '';

function lengthProblem(field: 'orgName' | 'description', text: string, say: TextKey): Problem[] {
  const { min, max } = organisationLimits[field];
  const length = [...text].length;
  return length >= min && length <= max ? [] : [worded(field, length < min ? 'minLength' : 'maxLength', say)];
}

/**
 * Reads the editor's body with everything that is wrong in it (specified 7.3): lengths in characters after trimming.
 */
export function organisationOf(body: Sound<BodyOf<typeof saveOrganisation>>): {
  input: OrganisationInput;
  problems: Problem[];
} {
  const node = (Array.isArray(body.cscpOrgDTOs) ? body.cscpOrgDTOs[0] : body.cscpOrgDTOs) ?? {};
  const id = node.id ?? null;
  const name = node.orgName === undefined && id !== null ? undefined : clean(node.orgName);
  const description = node.description === undefined ? undefined : clean(node.description) || null;
  const isOther = ({ orgId }: { readonly orgId?: number | null | undefined }) =>
    orgId != null && orgId !== 0 && orgId !== id;
  const problems = [
    ...(name === undefined
      ? []
      : name === ''
        ? [worded('orgName', 'required', 'nameRequired')]
        : lengthProblem('orgName', name, 'nameLength')),
    ...(description == null ? [] : lengthProblem('description', description, 'descriptionLength')),
    ...(body.cscpUserOrgDTOs ?? []).flatMap((link, at) =>
      isOther(link) ? [worded(`cscpUserOrgDTOs.${at}.orgId`, 'invalid', 'otherOrganisation')] : [],
    ),
    ...(body.cscpWorkGroupOrgDTOs ?? []).flatMap((link, at) =>
      isOther(link) ? [worded(`cscpWorkGroupOrgDTOs.${at}.orgId`, 'invalid', 'otherOrganisation')] : [],
    ),
  ];
  const input = {
    id,
    name,
    description,
    parentId: node.parentId === undefined ? undefined : (node.parentId ?? 0),
    sortOrder: node.orderby ?? undefined,
    version: node.ifVersion,
    people: body.cscpUserOrgDTOs?.flatMap(({ userId }) => userId ?? []),
    groups: body.cscpWorkGroupOrgDTOs?.flatMap(({ groupId }) => groupId ?? []),
  };
  return { input, problems };
}

/** The ids to delete, each once. */
export function idsOf({ cscpOrgDTOs }: BodyOf<typeof deleteOrganisations>): number[] {
  const nodes = Array.isArray(cscpOrgDTOs) ? cscpOrgDTOs : [cscpOrgDTOs];
  return [...new Set(nodes.map((node) => (typeof node === 'number' ? node : node.id)))];
}

/** The three arrays of the call (specified 7.5). */
export const levelOf = (
  organisations: readonly ListedOrganisation[],
  people: readonly PersonLink[],
  groups: readonly GroupLink[],
): ReplyOf<typeof listOrganisations> => ({
  cscpOrgDTOs: organisations.map(({ name, sortOrder, ...rest }) => ({ ...rest, orgName: name, orderby: sortOrder })),
  cscpUserOrgDTOs: people.map(({ accountId, organisationId, ...rest }) => ({
    ...rest,
    userId: accountId,
    orgId: organisationId,
  })),
  cscpWorkGroupOrgDTOs: groups.map(({ groupId, organisationId, name }) => ({
    groupId,
    orgId: organisationId,
    groupName: name,
  })),
});
