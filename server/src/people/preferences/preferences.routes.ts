import { sql } from 'kysely';
import { getMe, getPreferences, patchPreferences, putPreferences } from '../../../../contract/people/me.ts';
import type { Db } from '../../platform/db/index.ts';
import { bind, tooLarge, type Binding, type Caller } from '../../platform/http/index.ts';
import type { Accounts } from '../accounts/index.ts';

const longestBytes = 32 * 1024;

export interface PreferencesParts {
  readonly db: Db;
  readonly accounts: Accounts;
  /** What administrators are warned of in their header (captcha off, demo in a network …). */
  readonly warnings: readonly string[];
}

/** The zone times are shown in unless the account chose another: that of its work area, else of the first it sees. */
async function timeZoneOf(db: Db, { workAreaId, workAreas }: Caller): Promise<string | undefined> {
  const ids = workAreaId === null ? workAreas : [workAreaId];
  const all = db.selectFrom('work_area').select('time_zone').orderBy('id').limit(1);
  const row = await (ids === 'all' ? all : all.where('id', 'in', [0, ...ids])).executeTakeFirst();
  return row?.time_zone;
}

async function countWorkAreas(db: Db, { workAreas }: Caller): Promise<number> {
  if (workAreas !== 'all') return workAreas.length;
  const { n } = await db
    .selectFrom('work_area')
    .select((row) => row.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return Number(n);
}

export const preferencesRoutes = ({ db, accounts, warnings }: PreferencesParts): Binding[] => [
  bind(getMe, async (_input, { caller }) => {
    const [timeZone, workAreas] = await Promise.all([timeZoneOf(db, caller), countWorkAreas(db, caller)]);
    return {
      accountId: caller.accountId,
      username: caller.username,
      displayName: await accounts.displayName(caller.accountId),
      level: caller.level,
      permissions: [...caller.permissions].toSorted(),
      warnings: caller.level === 0 ? [...warnings] : [],
      workAreas,
      ...(timeZone === undefined ? {} : { timeZone }),
      ...(caller.previewBy ? { previewBy: caller.previewBy.username } : {}),
    };
  }),
  bind(getPreferences, async (_input, { caller }) => {
    const row = await db
      .selectFrom('account')
      .select('preferences')
      .where('id', '=', caller.accountId)
      .executeTakeFirstOrThrow();
    return row.preferences;
  }),
  bind(
    putPreferences,
    async ({ body }, { caller }) => {
      const preferences = JSON.stringify(body);
      if (Buffer.byteLength(preferences) > longestBytes) throw tooLarge({ bytes: longestBytes });
      await db.updateTable('account').set({ preferences }).where('id', '=', caller.accountId).execute();
      return body;
    },
    { rules: 'none' },
  ),
  bind(
    patchPreferences,
    async ({ body }, { caller }) =>
      db.transaction().execute(async (tx) => {
        const removed = Object.keys(body).filter((name) => body[name] === null);
        const { preferences } = await tx
          .updateTable('account')
          .set({ preferences: sql`(preferences || ${JSON.stringify(body)}::jsonb) - ${removed}::text[]` })
          .where('id', '=', caller.accountId)
          .returning('preferences')
          .executeTakeFirstOrThrow();
        // Refused after the change: only the whole has a length, and the refusal takes the change back.
        if (Buffer.byteLength(JSON.stringify(preferences)) > longestBytes) throw tooLarge({ bytes: longestBytes });
        return preferences;
      }),
    { rules: 'none' },
  ),
];
