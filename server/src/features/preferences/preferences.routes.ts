import { getMe, getPreferences, putPreferences } from '../../../../contract/routes/me.ts';
import type { Db } from '../../platform/db/index.ts';
import { bind, refuse, type Binding } from '../../platform/http/index.ts';
import type { Accounts } from '../accounts/index.ts';

const longestBytes = 32 * 1024;

export interface PreferencesParts {
  readonly db: Db;
  readonly accounts: Accounts;
  /** What administrators are warned of in their header (captcha off, demo in a network …). */
  readonly warnings: readonly string[];
}

export const preferencesRoutes = ({ db, accounts, warnings }: PreferencesParts): Binding[] => [
  bind(getMe, async (_input, { caller }) => ({
    accountId: caller.accountId, username: caller.username, displayName: await accounts.displayName(caller.accountId), level: caller.level,
    permissions: [...caller.permissions].toSorted(), warnings: caller.level === 0 ? [...warnings] : [],
  })),
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
