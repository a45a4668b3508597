import { listRightHolders, mostHolders } from '../../../../contract/people/rights.ts';
import type { Db } from '../../platform/db/index.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import { findHolders } from './rights.store.ts';

export const rightsRoutes = ({ db }: { readonly db: Db }): Binding[] => [
  bind(listRightHolders, async ({ query: { permission } }, { caller }) => {
    const found = await findHolders(db, caller, permission, mostHolders + 1);
    const names = found.filter((name) => name !== null).slice(0, mostHolders);
    return { names, more: found.length > names.length };
  }),
];
