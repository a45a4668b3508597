import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { BodyOf, ReplyOf } from '../../../../contract/route.ts';
import type { createBatch, listBatches, updateBatch } from '../../../../contract/wires/provisioning.ts';
import { accountOfBatch } from '../../../../protocols/wire.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import {
  refuse,
  refuseFields,
  wordedProblems,
  type Caller,
  type FieldProblem,
  type RequestContext,
  type RuleProblem,
  type Sound,
} from '../../platform/http/index.ts';
import type { Keys } from '../../platform/keys/index.ts';
import { translateTaken } from '../../register/devices/index.ts';
import { findBatch, findBatches, type StoredBatch } from './batches.store.ts';
import { reporting } from './families.ts';
import type { Pending } from './pending.ts';
import { visibleBatches } from './scope.ts';
import { sealBatchSecret } from './seal.ts';

export interface BatchesParts {
  readonly db: Db;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly keys: Keys;
  /** Makes its account known to a broker that keeps its own. */
  readonly pending: Pick<Pending, 'batch'>;
}
type Batch = ReplyOf<typeof listBatches>['data'][number];

/** Batches: who may come to the inbox, how many, until when. */
export function createBatches({ db, bus, clock, keys, pending }: BatchesParts) {
  const standing = (row: StoredBatch): Batch['standing'] => {
    if (!row.enabled) return 'disabled';
    if (row.expiresAt !== null && row.expiresAt <= clock.now()) return 'expired';
    return row.waiting + row.claimed >= row.maxDevices ? 'full' : 'open';
  };
  const view = (row: StoredBatch): Batch => ({
    id: row.id,
    name: row.name,
    workId: row.workId,
    workName: row.workName,
    families: [...row.families],
    maxDevices: row.maxDevices,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    enabled: row.enabled,
    username: accountOfBatch(row.id),
    standing: standing(row),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    lastDenied: row.lastDenied,
    counts: { waiting: row.waiting, claimed: row.claimed, blocked: row.blocked },
    createdBy: row.createdBy,
    createdAt: row.createdAt.toISOString(),
    version: row.version,
  });
  async function found(from: Db | Transaction, caller: Caller, id: number, lock = false): Promise<StoredBatch> {
    const row = await findBatch(from, id, visibleBatches(caller), lock);
    if (!row) throw refuse('notFound');
    if (!row.visible) throw refuse('foreignWorkArea');
    return row;
  }
  const newSecret = () => {
    const password = randomBytes(32).toString('base64url');
    return {
      password,
      columns: {
        secret_hash: createHash('sha256').update(password).digest(),
        secret_sealed: sealBatchSecret(keys, password),
        is_granted: false,
      },
    };
  };
  const closed = (id: number) => bus.publish('batch.closed', { username: accountOfBatch(id) });
  const isOpen = (row: StoredBatch) => ['open', 'full'].includes(standing(row));

  /** What the register says of a batch of this name in this area, as far as the area is the caller's. */
  async function nameProblems(
    { workAreas }: Caller,
    workId: number | undefined,
    name: string | undefined,
    id: number | null,
  ): Promise<RuleProblem[]> {
    if (workId === undefined) return [];
    if (!(await db.selectFrom('work_area').select('id').where('id', '=', workId).executeTakeFirst()))
      return [...noArea];
    if (workAreas !== 'all' && !workAreas.includes(workId)) return [];
    const { rows } =
      name === undefined
        ? { rows: [] }
        : await sql`SELECT 1 FROM batch WHERE work_area_id = ${workId}
          AND lower(normalize(name, NFKC)) = lower(normalize(${name.trim()}, NFKC))
          AND id IS DISTINCT FROM ${id}`.execute(db);
    return rows.length > 0 ? wordedProblems([{ field: 'name', rule: 'taken' }]) : [];
  }

  return {
    /** What the rules say of a form, for whom it is refused: everything at once. */
    problems: {
      ofNew: async (
        caller: Caller,
        { workId, name, families }: Sound<BodyOf<typeof createBatch>>,
      ): Promise<RuleProblem[]> => [...familyProblems(families), ...(await nameProblems(caller, workId, name, null))],
      async ofChange(
        caller: Caller,
        id: number | undefined,
        { name, families }: Sound<BodyOf<typeof updateBatch>>,
      ): Promise<RuleProblem[]> {
        const of =
          id === undefined
            ? undefined
            : await db.selectFrom('batch').select('work_area_id').where('id', '=', id).executeTakeFirst();
        return [...familyProblems(families), ...(await nameProblems(caller, of?.work_area_id, name, id ?? null))];
      },
    },

    async list(caller: Caller) {
      const rows = await findBatches(db, visibleBatches(caller));
      return { data: rows.map(view), recordsTotal: rows.length };
    },

    async create(ctx: RequestContext, body: BodyOf<typeof createBatch>): Promise<ReplyOf<typeof createBatch>> {
      const { caller } = ctx;
      refuseProblems(familyProblems(body.families));
      const secret = newSecret();
      const id = await translateTaken('name', () =>
        ctx.change({ action: 'batch.create' }, async (tx) => {
          const area = await tx.selectFrom('work_area').select('id').where('id', '=', body.workId).executeTakeFirst();
          if (!area) refuseProblems(noArea);
          if (caller.workAreas !== 'all' && !caller.workAreas.includes(body.workId)) throw refuse('foreignWorkArea');
          const row = await tx
            .insertInto('batch')
            .values({
              name: body.name.trim(),
              work_area_id: body.workId,
              families: body.families ?? [],
              max_devices: body.maxDevices ?? 100,
              expires_at: body.expiresAt ?? null,
              created_by: caller.username,
              created_at: clock.now(),
              ...secret.columns,
            })
            .returning('id')
            .executeTakeFirstOrThrow();
          return row.id;
        }),
      );
      await pending.batch(id);
      return {
        batch: view(await found(db, { ...caller, workAreaId: null }, id)),
        credentials: { username: accountOfBatch(id), password: secret.password },
      };
    },

    async update(ctx: RequestContext, id: number, body: BodyOf<typeof updateBatch>): Promise<Batch> {
      refuseProblems(familyProblems(body.families));
      const before = await translateTaken('name', () =>
        ctx.change({ action: 'batch.update' }, async (tx) => {
          const row = await found(tx, ctx.caller, id, true);
          if (body.version !== undefined && body.version !== row.version) throw refuse('changedMeanwhile');
          await tx
            .updateTable('batch')
            .set({
              ...(body.name === undefined ? {} : { name: body.name.trim() }),
              ...(body.families === undefined ? {} : { families: body.families }),
              ...(body.maxDevices === undefined ? {} : { max_devices: body.maxDevices }),
              ...(body.expiresAt === undefined ? {} : { expires_at: body.expiresAt }),
              ...(body.enabled === undefined ? {} : { enabled: body.enabled }),
              version: row.version + 1,
              ...(isOpen(row) ? {} : { is_granted: false }),
            })
            .where('id', '=', id)
            .execute();
          return row;
        }),
      );
      const after = await found(db, ctx.caller, id);
      if (isOpen(before) && !isOpen(after)) closed(id);
      await pending.batch(id);
      return view(after);
    },

    async renewSecret(ctx: RequestContext, id: number): Promise<{ username: string; password: string }> {
      const secret = newSecret();
      await ctx.change({ action: 'batch.secret' }, async (tx) => {
        const one = await found(tx, ctx.caller, id, true);
        await tx
          .updateTable('batch')
          .set({ ...secret.columns, version: one.version + 1 })
          .where('id', '=', id)
          .execute();
      });
      await pending.batch(id);
      return { username: accountOfBatch(id), password: secret.password };
    },

    async remove(ctx: RequestContext, id: number): Promise<void> {
      await ctx.change({ action: 'batch.delete' }, async (tx) => {
        await found(tx, ctx.caller, id, true);
        await tx.deleteFrom('batch').where('id', '=', id).execute();
      });
      closed(id);
      bus.publish('newcomers.changed', {});
    },
  };
}

const noArea: readonly FieldProblem[] = [{ field: 'workId', rule: 'notFound' }];
const familyProblems = (families: readonly string[] | undefined): FieldProblem[] =>
  families?.some((family) => !reporting.includes(family))
    ? [{ field: 'families', rule: 'enum', values: { options: reporting.join(', ') } }]
    : [];

function refuseProblems(problems: readonly FieldProblem[]): void {
  if (problems.length > 0) throw refuseFields(...problems);
}
