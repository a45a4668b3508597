import { getMe, getPreferences, putPreferences } from '../../../../contract/routes/me.ts';
import type { Db } from '../../platform/db/index.ts';
import { bind, refuse, type Binding, type Caller } from '../../platform/http/index.ts';
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

export const preferencesRoutes = ({ db, accounts, warnings }: PreferencesParts): Binding[] => [
  bind(getMe, async (_input, { caller }) => {
    const timeZone = await timeZoneOf(db, caller);
    return {
      accountId: caller.accountId, username: caller.username, displayName: await accounts.displayName(caller.accountId), level: caller.level,
      permissions: [...caller.permissions].toSorted(), warnings: caller.level === 0 ? [...warnings] : [],
      ...(timeZone === undefined ? {} : { timeZone }), ...(caller.previewBy ? { previewBy: caller.previewBy.username } : {}),
    };
  }),
  bind(getPreferences, async (_input, { caller }) => {
    const row = await db.selectFrom('account').select('preferences').where('id', '=', caller.accountId).executeTakeFirstOrThrow();
    return row.preferences;
  }),
  bind(putPreferences, async ({ body }, { caller }) => {
    const preferences = JSON.stringify(body);
    if (Buffer.byteLength(preferences) > longestBytes) throw refuse('tooLarge');
    await db.updateTable('account').set({ preferences }).where('id', '=', caller.accountId).execute();
    return body;
  }),
];
