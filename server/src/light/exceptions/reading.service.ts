import { approvalOutcomes } from '../../../../contract/light/commands.ts';
import { exceptionStates, type getException, type listExceptions } from '../../../../contract/light/exceptions.ts';
import type { QueryOf, ReplyOf } from '../../../../contract/route.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Caller, Sound } from '../../platform/http/index.ts';
import { approvalOf, seenScope, wordsOf } from '../publications/index.ts';
import {
  countRows,
  findLampsOf,
  findOne,
  findRows,
  type ExceptionFilter,
  type StoredException,
} from './reading.store.ts';
import { digestOf, readable, weighedOf } from './weighed.ts';

type Detail = ReplyOf<typeof getException>;
type Summary = ReplyOf<typeof listExceptions>['data'][number];

const pageOf = ({ page, size = 50 }: { readonly page?: number; readonly size?: number }) => ({
  limit: size,
  offset: Math.max(0, (page ?? 1) - 1) * size,
});
/** What a list of exceptions is filtered by. */
export const filterOf = (
  { state, q, approval }: Sound<Pick<QueryOf<typeof listExceptions>, 'state' | 'q' | 'approval'>>,
  now: Date,
): ExceptionFilter => ({
  states: wordsOf('state', state, exceptionStates),
  q: q?.trim() || undefined,
  outcomes: wordsOf('approval', approval, approvalOutcomes),
  now,
});

/** Lists of exceptions, and the lamps of one. */
export function createExceptionReading({ db, clock }: { readonly db: Db; readonly clock: Clock }) {
  return {
    async list(caller: Caller, query: QueryOf<typeof listExceptions>): Promise<ReplyOf<typeof listExceptions>> {
      const now = clock.now();
      const filter = filterOf(query, now);
      const [rows, recordsTotal] = await Promise.all([
        findRows(db, caller, filter, pageOf(query)),
        countRows(db, caller, filter),
      ]);
      return { data: rows.map((row) => summary(row, caller, now)), recordsTotal };
    },

    async get(caller: Caller, id: number, query: QueryOf<typeof getException>): Promise<Detail> {
      const row = await findOne(db, caller, id);
      const { rows, count } = await findLampsOf(db, caller, id, pageOf(query));
      return {
        ...summary(row, caller, clock.now()),
        lamps: rows.map((lamp) => ({ ...lamp, cannot: lamp.cannot as Detail['lamps'][number]['cannot'] })),
        recordsTotal: count,
      };
    },
  };
}

function summary({ actorId, seen: _, ending, ...row }: StoredException, caller: Caller, now: Date): Summary {
  const digest = digestOf({ ...row, actorId }, ending, weighedOf(row, ending));
  const isBegun = row.state === 'planned' || row.state === 'inForce';
  const asked: ApprovalRow | null = ending
    ? {
        phase: isBegun && ending.approved === null ? 'awaitingApproval' : row.state,
        approval: { ...ending },
        actorId: ending.askedById,
      }
    : row.approval && { phase: row.state, approval: row.approval, actorId };
  return {
    ...row,
    scope: seenScope(row),
    belowFloor: readable(row.belowFloor),
    state: row.state as Summary['state'],
    op: row.op as Summary['op'],
    from: row.from.toISOString(),
    to: row.to.toISOString(),
    createdAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
    ...(ending
      ? {
          ending: {
            ...{ by: ending.askedBy, at: ending.askedAt, reason: ending.why, darkens: ending.darkens },
            belowFloor: readable(ending.belowFloor ?? []),
          },
        }
      : {}),
    approval: asked && {
      ...approvalOf(asked, asked.approval, { actorId: asked.actorId, whole: row.whole }, caller, now),
      digest,
    },
  };
}

interface ApprovalRow {
  readonly phase: string;
  readonly approval: Readonly<Record<string, unknown>>;
  readonly actorId: number;
}
