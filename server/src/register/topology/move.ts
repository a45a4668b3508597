import {
  carriesOthers,
  familyOf,
  isLamp,
  namedBy,
  namesIn,
  type Language,
  type Problem,
} from '../../../../catalogue/index.ts';
import type { BodyOf, ReplyOf } from '../../../../contract/route.ts';
import type { moveInTree, TreeName } from '../../../../contract/register/topology.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { problemsOf, refuse, type Caller, type RuleProblem, type Sound } from '../../platform/http/index.ts';
import { aboveIt, devicesAsSeen, lockChains, recordChanges, selfReferences, type Change } from '../devices/index.ts';
import { writeOf, type Write } from './move.rules.ts';
import { hold, lampsOn, takenCodes, write, type Held } from './move.store.ts';

export interface MoverParts {
  readonly db: Db;
  readonly bus: Bus;
  readonly clock: Clock;
}
export type Mover = ReturnType<typeof createMover>;

type Nodes = readonly { readonly key?: string | undefined }[];
interface Moved {
  readonly at: number;
  readonly node: Held;
  readonly write: Write;
}
interface Fault {
  readonly at: number;
  readonly code: string;
  readonly rule: Problem['rule'];
  readonly params?: Problem['params'];
}

const idOf = (key: string, kind: string): number[] =>
  key.startsWith(`${kind}:`) ? [Number(key.slice(kind.length + 1))] : [];

/** Moves branches of the trees: any number of nodes below one target, in one transaction, all or none. */
export function createMover({ db, bus, clock }: MoverParts) {
  const move = async (
    caller: Caller,
    change: Change,
    tree: TreeName,
    body: BodyOf<typeof moveInTree>,
  ): Promise<ReplyOf<typeof moveInTree>> => {
    const to = targetOf(body.to);
    const touched = await change('topology.move', async (tx) => {
      // Two acts, each fine alone, could hang gateways on each other.
      const gateways = tree === 'communication' ? namedBy('gateway_id') : [];
      for (const gateway of gateways.flatMap((key) => familyOf(key) ?? [])) await lockChains(tx, gateway);
      const { held, moves, faults } = await judged(tx, caller, tree, body.nodes, to);
      if (faults.length > 0) throw refuse('invalidInput', {}, { fields: faults.map(worded) });
      const late = body.nodes.flatMap(({ key, version }, at) =>
        version !== undefined && held.get(key)?.version !== version ? [{ at, code: held.get(key)?.code ?? key }] : [],
      );
      if (late.length > 0)
        throw refuse(
          'changedMeanwhile',
          {},
          { fields: late.map(({ at, code }) => ({ field: `nodes.${at}`, rule: 'changedMeanwhile', say: () => code })) },
        );
      return carryOut(tx, caller, moves);
    });
    if (touched.length > 0) {
      bus.publish('devices.changed', { ids: touched });
      bus.publish('register.changed', {});
    }
    return { moved: new Set(body.nodes.map(({ key }) => key)).size };
  };

  /** What the rules say of a move, for whom it is refused: everything at once. */
  const problems = (
    caller: Caller,
    tree: TreeName | undefined,
    { nodes, to }: Sound<BodyOf<typeof moveInTree>>,
  ): Promise<RuleProblem[]> =>
    problemsOf(async () => {
      if (tree === undefined || nodes === undefined || to === undefined) return [];
      return (await judged(db, caller, tree, nodes, targetOf(to))).faults.map(worded);
    });

  async function carryOut(tx: Transaction, caller: Caller, moves: readonly Moved[]): Promise<number[]> {
    const devices = moves
      .filter(({ node }) => node.kind !== 'loop')
      .map(({ node, write: columns }) => ({ id: node.id, columns }));
    const loops = moves
      .filter(({ node }) => node.kind === 'loop')
      .map(({ node, write: columns }) => ({ id: node.id, columns }));
    const ids = devices.map(({ id }) => id);
    const before = await devicesAsSeen(tx, ids);
    await write(tx, 'device', devices);
    await write(tx, 'loop', loops);
    const after = await devicesAsSeen(tx, ids);
    await recordChanges(
      tx,
      { at: clock.now(), actorId: caller.accountId, actorName: caller.username, source: 'move' },
      ids.map((id) => ({ before: before.get(id) ?? null, after: after.get(id) ?? null })),
    );
    return [...ids, ...loops.flatMap(({ columns }) => Object.values(columns).filter((id) => id !== null))];
  }

  return { move, problems };
}

const targetOf = (to: string | null): string | null => (to === null || to.startsWith('group:') ? null : to);

/**
 * The rows a move is about, what it means for each, and why some cannot be moved. Refuses what the caller does not see.
 */
async function judged(
  from: Db | Transaction,
  caller: Caller,
  tree: TreeName,
  nodes: Nodes,
  to: string | null,
): Promise<{ held: ReadonlyMap<string, Held>; moves: Moved[]; faults: Fault[] }> {
  const all = [...new Set(nodes.flatMap(({ key }) => key ?? [])), ...(to === null ? [] : [to])];
  const held = await hold(
    from,
    caller,
    all.flatMap((key) => idOf(key, 'device')),
    all.flatMap((key) => idOf(key, 'loop')),
  );
  refuseUnseen(all, held);
  const target = to === null ? null : (held.get(to) ?? null);
  const { moves, faults } = planned(tree, nodes, held, target);
  faults.push(...(await registerFaults(from, moves, target)));
  return { held, moves, faults };
}

/** What does not exist is 404, what lies in another work area 403: the target like what is moved. */
function refuseUnseen(keys: readonly string[], held: ReadonlyMap<string, Held>): void {
  if (keys.some((key) => !held.has(key))) throw refuse('notFound');
  if (keys.some((key) => held.get(key)?.visible !== true)) throw refuse('foreignWorkArea');
}

/** What each move means by itself, or why it cannot be: another kind, another work area, itself. */
function planned(
  tree: TreeName,
  nodes: Nodes,
  held: ReadonlyMap<string, Held>,
  target: Held | null,
): { moves: Moved[]; faults: Fault[] } {
  const moves: Moved[] = [];
  const faults: Fault[] = [];
  const done = new Set<string>();
  for (const [at, { key }] of nodes.entries()) {
    const node = key === undefined ? undefined : held.get(key);
    if (!node || key === undefined || done.has(key)) continue;
    done.add(key);
    const meant = writeOf(tree, node.kind, target);
    if (typeof meant === 'string') faults.push({ at, code: node.code, rule: meant });
    else if (target?.key === key) faults.push({ at, code: node.code, rule: 'itself' });
    else if (target && target.area !== node.area) faults.push({ at, code: node.code, rule: 'foreignArea' });
    else moves.push({ at, node, write: meant });
  }
  return { moves, faults };
}

/** What only the register can tell: circles, poles that carry all their lamps, codes a box has already. */
async function registerFaults(tx: Db | Transaction, moves: readonly Moved[], target: Held | null): Promise<Fault[]> {
  if (!target) return [];
  const fault =
    (rule: Fault['rule'], params?: Problem['params']) =>
    ({ at, node }: Moved): Fault => ({ at, code: node.code, rule, ...(params ? { params } : {}) });
  const same = moves.filter(({ node }) => node.kind === target.kind);
  const family = familyOf(target.kind);
  const circles =
    same.length === 0 || !family
      ? []
      : (
          await Promise.all(
            selfReferences(family).map(({ column }) =>
              aboveIt(
                tx,
                column,
                target.id,
                same.map(({ node }) => node.id),
              ),
            ),
          )
        ).flat();
  const lamps = carriesOthers(target.kind)
    ? moves.filter(({ node }) => isLamp(node.kind) && node.pole !== target.id)
    : [];
  const room =
    target.capacity === null || lamps.length === 0
      ? Infinity
      : target.capacity -
        (await lampsOn(
          tx,
          target.id,
          lamps.map(({ node }) => node.id),
        ));
  const loops = moves.filter(({ node }) => node.kind === 'loop');
  const taken = new Set(
    loops.length === 0
      ? []
      : await takenCodes(
          tx,
          target.id,
          loops.map(({ node }) => node.id),
        ),
  );
  return [
    ...same.filter(({ node }) => circles.includes(node.id)).map(fault('cycle')),
    ...lamps.slice(Math.max(0, room)).map(fault('poleFull', { max: target.capacity ?? 0 })),
    ...loops.filter(({ node }) => taken.has(node.id)).map(fault('taken')),
  ];
}

const worded = ({ at, code, rule, params }: Fault) => ({
  field: `nodes.${at}`,
  rule,
  say: (language: Language) => `${code}: ${namesIn(language).rule(rule, params)}`,
});
