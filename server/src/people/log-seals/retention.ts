import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import { logs, type LogName } from './chain.ts';

/** Nobody keeps the logs for less. */
export const leastDays = 180;
export const defaultDays = 365;
const settingName = 'logs.retention';
const batch = 2000;

/** How long rows are kept, days: the setting `logs.retention`, `{"days": 365}`; never below 180. */
export async function retentionDays(db: Db): Promise<number> {
  const row = await db.selectFrom('setting').select('value').where('name', '=', settingName).executeTakeFirst();
  const days = typeof row?.value === 'object' && row.value !== null && 'days' in row.value ? row.value.days : undefined;
  return typeof days === 'number' && Number.isFinite(days)
    ? Math.max(leastDays, Math.min(36_500, Math.floor(days)))
    : defaultDays;
}

/** Takes away what is older, sealed rows from the beginning of each chain only; returns how many. */
export async function pruneLogs(db: Db, now: Date): Promise<Record<LogName, number>> {
  const before = new Date(now.getTime() - (await retentionDays(db)) * 86_400_000);
  const gone: Record<LogName, number> = { login_log: 0, operation_log: 0 };
  for (const log of logs) {
    for (;;) {
      const { rows } = await sql<{ count: number }>`SELECT prune_log(${log}, ${before}, ${batch}) AS count`.execute(db);
      const count = rows[0]?.count ?? 0;
      gone[log] += count;
      if (count < batch) break;
    }
  }
  return gone;
}
