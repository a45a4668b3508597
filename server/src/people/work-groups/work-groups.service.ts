import type { Language } from '../../../../catalogue/languages.ts';
import type { BodyOf, QueryOf } from '../../../../contract/route.ts';
import type { createWorkGroup, listWorkGroups, updateWorkGroup } from '../../../../contract/specified/work-groups.ts';
import type { Bus } from '../../platform/bus/index.ts';
import { countOf, type Db, type Transaction } from '../../platform/db/index.ts';
import { refuse, refuseFields, type Caller, type RequestContext, type Sound } from '../../platform/http/index.ts';
import { workGroupTexts } from './texts.ts';
import {
  groupDetail,
  groupOf,
  refuseProblems,
  rowOf,
  worded,
  type GroupInput,
  type Problem,
} from './work-groups.specified.ts';
import * as store from './work-groups.store.ts';

export interface WorkGroupsParts {
  readonly db: Db;
  readonly bus: Bus;
}
export type WorkGroups = ReturnType<typeof createWorkGroups>;
type Change = RequestContext['change'];

const standardSize = 50;

/**
 * Work groups (specified 6.1 to 6.6): members of a group see its work area, so every change of one is a change of
 * rights.
 */
export function createWorkGroups({ db, bus }: WorkGroupsParts) {
  async function changed<T>(change: Change, action: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const done = await change({ action }, work);
    bus.publish('rights.changed', {});
    return done;
  }

  async function found(from: Db | Transaction, caller: Caller, id: number, lock = false): Promise<store.StoredGroup> {
    const group = await store.findGroup(from, caller, id, lock);
    if (!group) throw refuse('notFound');
    if (!group.visible) throw refuse('foreignWorkArea');
    return group;
  }

  /** What the form names must exist; an area the caller does not see is foreign, whether it exists or not. */
  async function referenceProblems(
    caller: Caller,
    { memberIds, workAreaId, organisationId }: GroupInput,
  ): Promise<Problem[]> {
    const [unknown, hasArea, hasOrganisation] = await Promise.all([
      memberIds && memberIds.length > 0 ? store.unknownAccounts(db, memberIds) : [],
      workAreaId === undefined || caller.workAreas !== 'all' || store.rowExists(db, 'work_area', workAreaId),
      organisationId == null || store.rowExists(db, 'organisation', organisationId),
    ]);
    return [
      ...unknown.map((id) => worded(`userDetail.${memberIds?.indexOf(id) ?? 0}.userId`, 'notFound', 'memberUnknown')),
      ...(hasArea ? [] : [worded('workId', 'notFound', 'projectUnknown')]),
      ...(hasOrganisation ? [] : [worded('orgId', 'notFound', 'organisationUnknown')]),
    ];
  }

  type GroupBody = Sound<BodyOf<typeof createWorkGroup>>;
  async function read(
    caller: Caller,
    body: GroupBody,
    whole: boolean,
  ): Promise<{ input: GroupInput; problems: Problem[] }> {
    const { input, problems } = groupOf(body, whole);
    return { input, problems: [...problems, ...(await referenceProblems(caller, input))] };
  }

  async function checked(caller: Caller, body: GroupBody, whole: boolean): Promise<GroupInput> {
    const { input, problems: all } = await read(caller, body, whole);
    if (all.length > 0) throw refuseProblems(all);
    return input;
  }

  return {
    async list(caller: Caller, query: QueryOf<typeof listWorkGroups>) {
      const filter = {
        name: query.groupName?.trim() || undefined,
        description: query.description?.trim() || undefined,
      };
      const order = store.orderOf(query.sort ?? 'id');
      if (!order) throw refuseFields({ field: 'sort', rule: 'enum' });
      const limit = query.size ?? standardSize;
      const [rows, counted] = await Promise.all([
        store.findPage(db, caller, filter, { order, limit, offset: (Math.max(1, query.page ?? 1) - 1) * limit }),
        store.countGroups(db, caller, filter),
      ]);
      return { data: rows.map(rowOf), ...countOf(counted), recordsFiltered: counted.count };
    },

    async get(caller: Caller, id: number) {
      const group = await found(db, caller, id);
      return groupDetail(group, await store.findMemberIds(db, id));
    },

    /** What the rules say of a form, for whom its shape is refused: everything at once. */
    problems: async (caller: Caller, body: GroupBody, whole: boolean) => (await read(caller, body, whole)).problems,

    async create(caller: Caller, change: Change, body: BodyOf<typeof createWorkGroup>, language: Language) {
      const input = await checked(caller, body, true);
      const { name = '', description = '', workAreaId = 0, memberIds = [], organisationId } = input;
      refuseForeign(caller, workAreaId);
      const id = await changed(change, 'workGroup.create', async (tx) => {
        const made = await store.insertGroup(tx, { name, description, workAreaId });
        await store.replaceMembers(tx, made, memberIds);
        if (organisationId != null) await store.placeInOrganisation(tx, made, organisationId);
        return made;
      });
      return { success: true as const, msg: workGroupTexts(language).created, id };
    },

    async update(
      caller: Caller,
      change: Change,
      { id, version, ...body }: BodyOf<typeof updateWorkGroup>,
      language: Language,
    ) {
      const input = await checked(caller, body, false);
      await changed(change, 'workGroup.update', async (tx) => {
        const group = await found(tx, caller, id, true);
        if (input.workAreaId !== undefined && input.workAreaId !== group.workAreaId)
          refuseForeign(caller, input.workAreaId);
        if (version != null && version !== group.version) throw refuse('changedMeanwhile');
        await store.updateGroup(tx, id, input);
        if (input.memberIds) await store.replaceMembers(tx, id, input.memberIds);
        if (input.organisationId !== undefined) await store.placeInOrganisation(tx, id, input.organisationId);
      });
      return { success: true as const, msg: workGroupTexts(language).updated, id };
    },

    async remove(caller: Caller, change: Change, id: number, language: Language) {
      await changed(change, 'workGroup.delete', async (tx) => {
        await found(tx, caller, id, true);
        await store.deleteGroup(tx, id);
      });
      return { success: true as const, msg: workGroupTexts(language).deleted };
    },

    async options(caller: Caller) {
      const groups = await store.findOptions(db, caller);
      return { data: groups.map(({ id, name }) => ({ id, groupName: name })), recordsTotal: groups.length };
    },
  };
}

/** Nobody puts a group into a work area that he does not see himself. */
function refuseForeign(caller: Caller, workAreaId: number): void {
  if (caller.workAreas !== 'all' && !caller.workAreas.includes(workAreaId)) throw refuse('foreignWorkArea');
}
