import type { Static } from 'typebox';
import { criteriaDefaults } from '../../../../contract/light/first-part.ts';
import type { getPublicationRoads } from '../../../../contract/light/publication-roads.ts';
import {
  itemStates,
  publicationPhases,
  type getPublication,
  type listPublications,
  type PublicationLampFilters,
} from '../../../../contract/light/publications.ts';
import { approvalOutcomes } from '../../../../contract/light/commands.ts';
import type { QueryOf, ReplyOf } from '../../../../contract/route.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import { refuseFields, type Caller, type RequestContext, type Sound } from '../../platform/http/index.ts';
import { isOverdue } from '../commands/index.ts';
import type { LampPlans } from '../plans/index.ts';
import { createNextProofs } from './next-proof.ts';
import {
  countRows,
  findItems,
  findOne,
  findRoads,
  findRows,
  type ItemFilter,
  type PublicationFilter,
  type StoredItem,
  type StoredPublication,
} from './reading.store.ts';
import { findRoadLines } from './road-lines.store.ts';
import { seenFindings, whysFor, withWhys } from './found.ts';
import { seenScope } from './scope.ts';
import { whyTakenBack } from './taken-back.ts';

type Detail = ReplyOf<typeof getPublication>;
type Summary = Omit<Detail, 'items' | 'recordsTotal' | 'roads' | 'nextProof'>;
type Approval = NonNullable<Summary['approval']>;
type Asking = Pick<RequestContext, 'caller' | 'language'>;

const iso = (at: Date | null) => at?.toISOString() ?? null;
const text = (value: unknown) => (typeof value === 'string' ? value : null);
const pageOf = ({ page, size = 50 }: { readonly page?: number; readonly size?: number }) => ({
  limit: size,
  offset: Math.max(0, (page ?? 1) - 1) * size,
});
/** One or several words, comma-separated; refuses others. */
export function wordsOf(field: string, given: string | undefined, known: readonly string[]): string[] | undefined {
  const some = given?.split(',');
  if (some?.some((word) => !known.includes(word)))
    throw refuseFields({ field, rule: 'enum', values: { allowed: known.join(' ') } });
  return some;
}
/** What a list of publications is filtered by. */
export const filterOf = (
  { state, q, approval }: Sound<Pick<QueryOf<typeof listPublications>, 'state' | 'q' | 'approval'>>,
  now: Date,
): PublicationFilter => ({
  phases: wordsOf('state', state, publicationPhases),
  q: q?.trim() || undefined,
  outcomes: wordsOf('approval', approval, approvalOutcomes),
  now,
});

/** What the lamps of a publication are filtered by. */
export const itemFilterOf = ({
  state,
  q,
  roadId,
  canary,
}: Sound<Static<typeof PublicationLampFilters>>): ItemFilter => ({
  states: wordsOf('state', state, itemStates),
  q: q?.trim() || undefined,
  roadId,
  canary,
});

/** What became of publications: lists, funnels, and the state of every lamp. */
export function createPublicationReading(parts: {
  readonly db: Db;
  readonly clock: Clock;
  readonly plans: Pick<LampPlans, 'of'>;
}) {
  const { db, clock } = parts;
  const nextProofOf = createNextProofs(parts);
  return {
    async list(
      { caller, language }: Asking,
      query: QueryOf<typeof listPublications>,
    ): Promise<ReplyOf<typeof listPublications>> {
      const now = clock.now();
      const filter = filterOf(query, now);
      const [rows, recordsTotal] = await Promise.all([
        findRows(db, caller, filter, pageOf(query)),
        countRows(db, caller, filter),
      ]);
      const whys = await whysFor(db, caller, rows.flatMap(findingsOf));
      return { data: rows.map((row) => summary(row, { caller, language }, { now, whys })), recordsTotal };
    },

    async get(asking: Asking, id: number, query: QueryOf<typeof getPublication>): Promise<Detail> {
      const { caller } = asking;
      const row = await findOne(db, caller, id);
      const waits = row.states['told'] !== undefined || row.states['reported'] !== undefined;
      const [nextProof, whys, roads, items] = await Promise.all([
        waits ? nextProofOf(caller, row) : null,
        whysFor(db, caller, findingsOf(row)),
        findRoads(db, caller, id),
        findItems(db, caller, id, itemFilterOf(query), pageOf(query)),
      ]);
      return {
        ...summary(row, asking, { now: clock.now(), whys }),
        nextProof,
        roads,
        items: items.rows.map(itemView),
        recordsTotal: items.count,
      };
    },

    async roads(caller: Caller, id: number): Promise<ReplyOf<typeof getPublicationRoads>> {
      await findOne(db, caller, id);
      return findRoadLines(db, caller, id);
    },
  };
}

const findingsOf = ({ findings }: Pick<StoredPublication, 'findings'>) => (findings ?? []) as Summary['findings'];

function summary(
  { actorId, seen: _, takenBack, ...row }: StoredPublication,
  { caller, language }: Asking,
  { now, whys }: { readonly now: Date; readonly whys: ReadonlyMap<number, string> },
): Summary {
  return {
    ...row,
    phase: row.phase as Summary['phase'],
    reason: takenBack ? whyTakenBack(takenBack, language) : row.reason,
    phaseSince: row.phaseSince.toISOString(),
    createdAt: row.createdAt.toISOString(),
    endedAt: iso(row.endedAt),
    scope: seenScope(row),
    findings: seenFindings(withWhys(findingsOf(row), whys), row.whole),
    halted: row.halted && {
      why: row.halted['why'] === 'canary' ? 'canary' : 'person',
      at: String(row.halted['at']),
      by: text(row.halted['by']),
      reason: text(row.halted['reason']),
    },
    // From before the lit rate was judged they have none.
    criteria: { ...criteriaDefaults, ...row.criteria },
    judged: row.judged && ({ litPercent: null, litBeforePercent: null, ...row.judged } as Summary['judged']),
    approval: row.approval && approvalOf(row, row.approval, { actorId, whole: row.whole }, caller, now),
  };
}

/** Where the approval of a publication or an exception stands, for this caller. */
export function approvalOf(
  row: Pick<StoredPublication, 'phase' | 'approval'>,
  approval: Readonly<Record<string, unknown>>,
  { actorId, whole }: { readonly actorId: number; readonly whole: boolean },
  caller: Caller,
  now: Date,
): Approval {
  const overdue = isOverdue(row, now) || row.phase === 'lapsed';
  const by = text(approval['by']);
  const outcome = (): Approval['outcome'] => {
    if (approval['approved'] === true) return 'agreed';
    if (approval['approved'] === false) return 'refused';
    if (row.phase === 'cancelled') return 'withdrawn';
    return overdue ? 'expired' : 'pending';
  };
  const hindrance = (): Approval['hindrance'] => {
    if (overdue) return 'expired';
    if (row.phase !== 'awaitingApproval') return 'decided';
    if (actorId === caller.accountId) return 'own';
    if (!caller.permissions.has('lamp.approve')) return 'permission';
    return whole ? null : 'area';
  };
  return {
    outcome: outcome(),
    expiresAt: String(approval['expiresAt']),
    decision: by === null ? null : { by, at: String(approval['at']), reason: text(approval['reason']) },
    hindrance: hindrance(),
  };
}

const itemView = (item: StoredItem): Detail['items'][number] => ({
  ...item,
  state: item.state as Detail['items'][number]['state'],
  toldAt: iso(item.toldAt),
  reportedAt: iso(item.reportedAt),
  provenAt: iso(item.provenAt),
  heardAt: iso(item.heardAt),
  proof: item.proof as Detail['items'][number]['proof'],
  reason: item.reason as Detail['items'][number]['reason'],
});
