import { getMenus } from '../../../../contract/specified/account.ts';
import type { Db } from '../../platform/db/index.ts';
import { bind, refuse, type Binding } from '../../platform/http/index.ts';
import { findMenuOf } from './menus.store.ts';

export const menusRoutes = ({ db }: { db: Db }): Binding[] => [
  bind(getMenus, async (_input, ctx) => {
    const entries = await findMenuOf(db, ctx.caller.accountId, ctx.language);
    if (entries.length === 0) throw refuse('noMenu');
    return entries.map(({ sortOrder, ...entry }) => ({ ...entry, orderby: sortOrder }));
  }),
];
