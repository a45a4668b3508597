import { familyOf } from '../../../../catalogue/index.ts';
import {
  bindDeviceAccount,
  listDeviceAccounts,
  revealDeviceSecret,
  unbindDeviceAccount,
} from '../../../../contract/register/device-access.ts';
import { bind, refuse, refuseProblems, wordedProblems, type Binding, type Caller } from '../../platform/http/index.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import type { Keys } from '../../platform/keys/index.ts';
import * as store from './device-access.store.ts';
import { openSecret } from './secrets.ts';
import { findOne } from './devices.store.ts';
import { visibleDevices } from './visible.query.ts';

const shown = ({ id, username, nickname, family_name, given_name }: store.StoredAccount) => ({
  id,
  username,
  name: `${family_name ?? ''}${given_name ?? ''}` || (nickname ?? ''),
});
/** An administrator binds anybody, others only accounts of a lower rank (specified 9.4). */
const refuseRank = (caller: Caller, level: number): void => {
  if (caller.level !== 0 && level <= caller.level) throw refuse('rankTooHigh');
};

/**
 * Accounts that see a device whatever their work areas, and the secrets of devices read one by one; both with their own
 * right, both logged.
 */
export function deviceAccessRoutes({ db, keys }: { readonly db: Db; readonly keys: Keys }): Binding[] {
  async function found(from: Db | Transaction, caller: Caller, id: number, lock = false) {
    const row = await findOne(from, id, visibleDevices(caller), lock);
    if (!row) throw refuse('notFound');
    if (!row.visible) throw refuse('foreignWorkArea');
    return row;
  }
  const noSecret = [{ field: 'field', rule: 'option' }] as const;
  const isSecret = ({ family }: { readonly family: string }, field: string): boolean =>
    familyOf(family)?.field.get(field)?.kind === 'secret';
  return [
    bind(
      revealDeviceSecret,
      ({ params }, ctx) =>
        ctx.change({ action: 'device.secret' }, async (tx) => {
          const row = await found(tx, ctx.caller, params.id);
          if (!isSecret(row, params.field)) throw refuseProblems(noSecret);
          const sealed = row.props[params.field];
          return { value: typeof sealed === 'string' ? openSecret(keys, params.field, sealed) : null };
        }),
      {
        rules: async ({ params: { id, field } = {} }, { caller }) =>
          id === undefined || field === undefined || isSecret(await found(db, caller, id), field)
            ? []
            : wordedProblems(noSecret),
      },
    ),
    bind(listDeviceAccounts, async ({ params }, { caller }) => {
      await found(db, caller, params.id);
      const rows = await store.findBound(db, params.id);
      return { data: rows.map(shown), recordsTotal: rows.length };
    }),
    bind(
      bindDeviceAccount,
      ({ params, body }, ctx) =>
        ctx.change({ action: 'device.bind' }, async (tx) => {
          await found(tx, ctx.caller, params.id, true);
          const account = await store.findAccount(tx, body.username);
          if (!account) throw refuseProblems([{ field: 'username', rule: 'notFound' }]);
          refuseRank(ctx.caller, account.level);
          await store.bindAccount(tx, params.id, account.id);
          return shown(account);
        }),
      {
        rules: async ({ body }) =>
          body?.username === undefined || (await store.findAccount(db, body.username))
            ? []
            : wordedProblems([{ field: 'username', rule: 'notFound' }]),
      },
    ),
    bind(unbindDeviceAccount, ({ params }, ctx) =>
      ctx.change({ action: 'device.unbind' }, async (tx) => {
        await found(tx, ctx.caller, params.id, true);
        const account = await store.findBoundOne(tx, params.id, params.accountId);
        if (!account) throw refuse('notFound');
        refuseRank(ctx.caller, account.level);
        await store.unbindAccount(tx, params.id, params.accountId);
      }),
    ),
  ];
}
