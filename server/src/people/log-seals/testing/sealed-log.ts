import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { parseHead, type LogName, type NotedHead } from '../chain.ts';
import { sealAll } from '../sealer.ts';
import { verifyLogs } from '../verifier.ts';

/** Logs that are sealed and verified. Call it at the top of a test file. */
export async function sealedLogs() {
  const { db, pool } = await testDatabase();
  const day = 86_400_000;

  const operation = (message: string, at = new Date()) => ({
    account_id: 1,
    username: 'admin',
    uri: 'PUT /api/tbUsers',
    ip: '10.0.0.1',
    at,
    params: '{"id":7}',
    message,
    status: 200,
  });
  const write = (messages: readonly string[], at?: Date) =>
    db
      .insertInto('operation_log')
      .values(messages.map((message) => operation(message, at)))
      .returning('id')
      .execute();
  const verdict = async (log: LogName = 'operation_log', noted: readonly NotedHead[] = []) =>
    (await verifyLogs(db, noted)).find((one) => one.log === log);
  const finding = async (noted: readonly NotedHead[] = []) => (await verdict('operation_log', noted))?.finding;

  /** As a superuser who goes around the triggers would do it. */
  const behindTheBack = (work: (tx: Db) => Promise<unknown>) =>
    db.transaction().execute(async (tx) => {
      await sql`SET LOCAL session_replication_role = replica`.execute(tx);
      await work(tx);
    });

  /** A log with seven sealed rows of its own; what a test spoils is put back. */
  async function sealedLog(): Promise<{ ids: number[]; head: NotedHead; heads: NotedHead[] }> {
    await behindTheBack(async (tx) => {
      for (const log of ['operation_log', 'login_log'] as const) {
        await tx.deleteFrom(log).execute();
        await sql`UPDATE log_chain SET start_id = 0, head_id = 0,
        start_seal = sha256(convert_to('lampyris ' || log || ' 1', 'UTF8')),
        head_seal = sha256(convert_to('lampyris ' || log || ' 1', 'UTF8')) WHERE log = ${log}`.execute(tx);
      }
    });
    const heads: NotedHead[] = [];
    for (const part of [
      ['a', 'b', 'c'],
      ['d', 'e'],
      ['f', 'g'],
    ]) {
      await write(part);
      heads.push(...(await sealAll(db)).flatMap(({ head }) => parseHead(head) ?? []));
    }
    const rows = await db.selectFrom('operation_log').select('id').orderBy('id').execute();
    return { ids: rows.map(({ id }) => id), head: heads.at(-1) as NotedHead, heads };
  }

  return { db, pool, day, operation, write, verdict, finding, behindTheBack, sealedLog };
}
