import type { Language } from '../../../../catalogue/languages.ts';
import type { BodyOf } from '../../../../contract/route.ts';
import type {
  deleteOrganisations,
  moveOrganisations,
  saveOrganisation,
} from '../../../../contract/specified/organisations.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import {
  problemsOf,
  refuse,
  refuseFields,
  type Caller,
  type RequestContext,
  type RuleProblem,
  type Sound,
} from '../../platform/http/index.ts';
import { hasCycle } from '../../platform/tree.ts';
import {
  idsOf,
  levelOf,
  organisationOf,
  refuseProblems,
  worded,
  type OrganisationInput,
  type Problem,
} from './organisations.specified.ts';
import * as store from './organisations.store.ts';
import { organisationTexts } from './texts.ts';

export interface OrganisationsParts {
  readonly db: Db;
  readonly bus: Bus;
}
export type Organisations = ReturnType<typeof createOrganisations>;
type Change = RequestContext['change'];
type Places = ReadonlyMap<number, store.StoredPlace>;

/**
 * The tree of organisations (specified 7.1, 7.5). Its people see the areas of its groups, so every change is one of
 * rights.
 */
export function createOrganisations({ db, bus }: OrganisationsParts) {
  /** One change of the tree at a time; open consoles hear of it after the commit. */
  async function changed<T>(change: Change, action: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const done = await change({ action }, async (tx) => {
      await store.lockTree(tx);
      return work(tx);
    });
    bus.publish('rights.changed', {});
    return done;
  }

  async function linkProblems({
    people = [],
    groups = [],
  }: OrganisationInput): Promise<{ problems: Problem[]; areas: Iterable<number> }> {
    const [unknown, areas] = await Promise.all([
      people.length > 0 ? store.unknownAccounts(db, people) : [],
      groups.length > 0 ? store.areasOfGroups(db, groups) : new Map<number, number>(),
    ]);
    const problems = [
      ...unknown.map((id) => worded(`cscpUserOrgDTOs.${people.indexOf(id)}.userId`, 'notFound', 'personUnknown')),
      ...groups.flatMap((id, at) =>
        areas.has(id) ? [] : [worded(`cscpWorkGroupOrgDTOs.${at}.groupId`, 'notFound', 'groupUnknown')],
      ),
    ];
    return { problems, areas: areas.values() };
  }

  return {
    async list({ workAreas }: Caller, parentId: number) {
      if (parentId !== 0 && !(await store.organisationExists(db, parentId))) throw refuse('notFound');
      return levelOf(
        ...(await Promise.all([
          store.findChildren(db, parentId, workAreas),
          store.findPeopleBelow(db, parentId),
          store.findGroupsBelow(db, parentId, workAreas),
        ])),
      );
    },

    async find(name: string, size = 20) {
      const rows = name.trim() === '' ? [] : await store.findByName(db, name, size);
      return { data: rows.map(({ total: _, ...row }) => row), recordsTotal: rows[0]?.total ?? 0 };
    },

    async contents({ workAreas }: Caller, id: number) {
      const contents = await store.findContents(db, id, workAreas);
      if (!contents) throw refuse('notFound');
      return contents;
    },

    /** What the rules say of a form, for whom its shape is refused: everything at once. */
    async problems(body: Sound<BodyOf<typeof saveOrganisation>>): Promise<readonly RuleProblem[]> {
      if (body.cscpOrgDTOs === undefined) return [];
      const { input, problems } = organisationOf(body);
      const parent = await problemsOf(async () =>
        input.parentId ? refuseMissingParent(await store.findPlaces(db), input.parentId, 'parentId') : undefined,
      );
      return [...problems, ...(await linkProblems(input)).problems, ...parent];
    },

    /** The same of a drag. */
    async dropProblems(nodes: Sound<BodyOf<typeof moveOrganisations>>): Promise<readonly RuleProblem[]> {
      const places = await store.findPlaces(db);
      return problemsOf(
        () => refuseTwice(nodes),
        ...nodes.flatMap(({ id, parentId }, at) => {
          const current = id === undefined ? undefined : places.get(id);
          if (!current || id === undefined || parentId === undefined || (parentId ?? 0) === current.parentId) return [];
          return [
            () => refuseMissingParent(places, parentId ?? 0, `${at}.parentId`),
            () => refuseCycle(places, new Map([[id, parentId ?? 0]])),
          ];
        }),
      );
    },

    async save(caller: Caller, change: Change, body: BodyOf<typeof saveOrganisation>) {
      const { input, problems } = organisationOf(body);
      const links = await linkProblems(input);
      if (problems.length + links.problems.length > 0) throw refuseProblems([...problems, ...links.problems]);
      const id = await changed(
        change,
        input.id === null ? 'organisation.create' : 'organisation.update',
        async (tx) => {
          const places = await store.findPlaces(tx);
          const saved =
            input.id === null ? await add(tx, places, input) : await update(tx, caller, places, input.id, input);
          await link(tx, caller, saved, input, links.areas);
          return saved;
        },
      );
      return { id };
    },

    async move(caller: Caller, change: Change, nodes: BodyOf<typeof moveOrganisations>, language: Language) {
      await changed(change, 'organisation.move', (tx) => move(tx, caller, nodes));
      return { success: true as const, msg: organisationTexts(language).moved };
    },

    async remove(change: Change, body: BodyOf<typeof deleteOrganisations>, language: Language) {
      const ids = idsOf(body);
      await changed(change, 'organisation.delete', async (tx) => {
        const places = await store.findPlaces(tx);
        if (!ids.every((id) => places.has(id))) throw refuse('notFound');
        await store.deleteOrganisations(tx, ids);
      });
      return { success: true as const, msg: organisationTexts(language).deleted };
    },
  };
}

/** Nobody gives anyone a work area that he does not see himself. */
function refuseForeign({ workAreas }: Caller, areas: Iterable<number>): void {
  if (workAreas !== 'all' && ![...areas].every((area) => workAreas.includes(area))) throw refuse('foreignWorkArea');
}

function refuseMissingParent(places: Places, parentId: number, field: string): void {
  if (parentId !== 0 && !places.has(parentId))
    throw refuse('organisationParentMissing', {}, { fields: [{ field, rule: 'notFound' }] });
}

function refuseCycle(places: Places, parents: ReadonlyMap<number, number>): void {
  if (hasCycle([...parents.keys()], (id) => parents.get(id) ?? places.get(id)?.parentId ?? 0))
    throw refuse('organisationCycle', {}, { fields: [{ field: 'parentId', rule: 'invalid' }] });
}

/** A new node gets sibling order 0 by default (specified 7.5). */
async function add(
  tx: Transaction,
  places: Places,
  { name = '', description, parentId = 0, sortOrder = 0 }: OrganisationInput,
): Promise<number> {
  refuseMissingParent(places, parentId, 'parentId');
  return store.insertOrganisation(tx, { name, description: description ?? null, parentId, sortOrder });
}

async function update(
  tx: Transaction,
  caller: Caller,
  places: Places,
  id: number,
  input: OrganisationInput,
): Promise<number> {
  const current = places.get(id);
  if (!current) throw refuse('notFound');
  const { name, description, parentId, sortOrder, version } = input;
  if (parentId !== undefined && parentId !== current.parentId) {
    refuseMissingParent(places, parentId, 'parentId');
    refuseCycle(places, new Map([[id, parentId]]));
    refuseForeign(caller, await store.areasBelow(tx, [id]));
  }
  if (version != null && version !== current.version) throw refuse('changedMeanwhile');
  await store.updateOrganisation(tx, id, { name, description, parentId, sortOrder });
  return id;
}

/**
 * Replaces the people and groups that the editor sent; who comes in sees what is below, so the caller must see it too.
 */
async function link(
  tx: Transaction,
  caller: Caller,
  id: number,
  { people, groups }: OrganisationInput,
  groupAreas: Iterable<number>,
): Promise<void> {
  refuseForeign(caller, groupAreas);
  if (people && caller.workAreas !== 'all' && (await store.bringsPeople(tx, id, people)))
    refuseForeign(caller, await store.areasBelow(tx, [id]));
  if (people) await store.replacePeople(tx, id, people);
  if (groups) await store.replaceGroups(tx, id, groups, caller.workAreas);
}

/**
 * A drop that says its versions was made on one picture of the tree: it is refused when a node changed since, or when
 * the children of a new parent do not come out as such a drop leaves them (specified 7.4: from 1 without a gap, one
 * alone with 0).
 */
function refuseOutdated(places: Places, wanted: readonly store.Place[], nodes: BodyOf<typeof moveOrganisations>): void {
  const told = nodes.filter(({ ifVersion }) => ifVersion != null);
  if (told.some(({ id, ifVersion }) => places.get(id)?.version !== ifVersion)) throw refuse('changedMeanwhile');
  const after = new Map<number, store.Place>([...places, ...wanted.map((place) => [place.id, place] as const)]);
  const parents = new Set(told.map(({ id }) => after.get(id)?.parentId));
  const orders = Map.groupBy(
    [...after.values()].filter(({ parentId }) => parents.has(parentId)),
    ({ parentId }) => parentId,
  );
  for (const children of orders.values()) {
    const order = children.map(({ sortOrder }) => sortOrder).toSorted((a, b) => a - b);
    if (!(order.length === 1 && order[0] === 0) && order.some((one, index) => one !== index + 1))
      throw refuse('changedMeanwhile');
  }
}

function refuseTwice(nodes: readonly { readonly id?: number | undefined }[]): void {
  const twice = nodes.findIndex(({ id }, at) => id !== undefined && nodes.findIndex((node) => node.id === id) !== at);
  if (twice >= 0) throw refuseFields({ field: `${twice}.id`, rule: 'uniqueItems' });
}

/** What a drag changed, all or nothing (specified 7.4). */
async function move(tx: Transaction, caller: Caller, nodes: BodyOf<typeof moveOrganisations>): Promise<void> {
  const ids = nodes.map(({ id }) => id);
  refuseTwice(nodes);
  const places = await store.findPlaces(tx);
  const wanted = nodes.map((node) => {
    const current = places.get(node.id);
    if (!current) throw refuse('notFound');
    return {
      current,
      id: node.id,
      parentId: node.parentId === undefined ? current.parentId : (node.parentId ?? 0),
      sortOrder: node.orderby ?? current.sortOrder,
    };
  });
  const moved = wanted.filter(({ current, parentId }) => parentId !== current.parentId);
  for (const { id, parentId } of moved) refuseMissingParent(places, parentId, `${ids.indexOf(id)}.parentId`);
  refuseCycle(places, new Map(moved.map(({ id, parentId }) => [id, parentId])));
  refuseOutdated(places, wanted, nodes);
  if (moved.length > 0)
    refuseForeign(
      caller,
      await store.areasBelow(
        tx,
        moved.map(({ id }) => id),
      ),
    );
  const different = wanted.filter(
    ({ current, parentId, sortOrder }) => parentId !== current.parentId || sortOrder !== current.sortOrder,
  );
  if (different.length > 0) await store.placeOrganisations(tx, different);
}
