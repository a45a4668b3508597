import { exceptionStates, type getException, type listExceptions } from '../../../../contract/light/exceptions.ts';
import type { QueryOf, ReplyOf } from '../../../../contract/route.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import { refuseFields, type Caller } from '../../platform/http/index.ts';
import { approvalOf } from '../publications/index.ts';
import { findLampsOf, findOne, findPage, type StoredException } from './reading.store.ts';

type Detail = ReplyOf<typeof getException>;
type Summary = ReplyOf<typeof listExceptions>['data'][number];

const pageOf = ({ page, size = 50 }: { readonly page?: number; readonly size?: number }) => ({
  limit: size,
  offset: Math.max(0, (page ?? 1) - 1) * size,
});
function states(given: string | undefined): string[] | undefined {
  const some = given?.split(',');
  if (some?.some((word) => !exceptionStates.some((state) => state === word)))
    throw refuseFields({ field: 'state', rule: 'enum', values: { allowed: exceptionStates.join(' ') } });
  return some;
}

/** Lists of exceptions, and the lamps of one. */
export function createExceptionReading({ db, clock }: { readonly db: Db; readonly clock: Clock }) {
  return {
    async list(caller: Caller, query: QueryOf<typeof listExceptions>): Promise<ReplyOf<typeof listExceptions>> {
      const { rows, count } = await findPage(db, caller, {
        states: states(query.state),
        q: query.q?.trim() || undefined,
        ...pageOf(query),
      });
      const now = clock.now();
      return { data: rows.map((row) => summary(row, caller, now)), recordsTotal: count };
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

function summary({ actorId, seen, ...row }: StoredException, caller: Caller, now: Date): Summary {
  return {
    ...row,
    whole: seen >= row.total,
    state: row.state as Summary['state'],
    op: row.op as Summary['op'],
    from: row.from.toISOString(),
    to: row.to.toISOString(),
    createdAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
    approval:
      row.approval &&
      approvalOf(
        { phase: row.state, approval: row.approval },
        row.approval,
        { actorId, whole: seen >= row.total },
        caller,
        now,
      ),
  };
}
