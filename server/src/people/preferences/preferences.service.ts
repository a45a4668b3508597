import type { getMe, putPreferences } from '../../../../contract/people/me.ts';
import type { BodyOf, ReplyOf } from '../../../../contract/route.ts';
import type { Db } from '../../platform/db/index.ts';
import { tooLarge, type Caller } from '../../platform/http/index.ts';
import type { Accounts } from '../accounts/index.ts';
import * as store from './preferences.store.ts';

type Given = BodyOf<typeof putPreferences>;

const longestBytes = 32 * 1024;

export interface PreferencesParts {
  readonly db: Db;
  readonly accounts: Accounts;
  /** What administrators are warned of in their header (captcha off, demo in a network …). */
  readonly warnings: readonly string[];
}
export type Preferences = ReturnType<typeof createPreferences>;

/** What an account is, and what its console remembers of it. */
export function createPreferences({ db, accounts, warnings }: PreferencesParts) {
  return {
    async me(caller: Caller): Promise<ReplyOf<typeof getMe>> {
      const { workAreaId, workAreas: seen } = caller;
      const [timeZone, workAreas] = await Promise.all([
        // The zone times are shown in unless the account chose another: that of its work area, else of the first seen.
        store.findTimeZone(db, workAreaId === null ? seen : [workAreaId]),
        seen === 'all' ? store.countWorkAreas(db) : seen.length,
      ]);
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
    },

    read: ({ accountId }: Caller) => store.findPreferences(db, accountId),

    async replace({ accountId }: Caller, given: Given): Promise<Given> {
      const preferences = JSON.stringify(given);
      refuseLong(preferences);
      await store.writePreferences(db, accountId, preferences);
      return given;
    },

    merge: ({ accountId }: Caller, given: Given) =>
      db.transaction().execute(async (tx) => {
        const preferences = await store.mergePreferences(tx, accountId, given);
        // Refused after the change: only the whole has a length, and the refusal takes the change back.
        refuseLong(JSON.stringify(preferences));
        return preferences;
      }),
  };
}

function refuseLong(preferences: string): void {
  if (Buffer.byteLength(preferences) > longestBytes) throw tooLarge({ bytes: longestBytes });
}
