import { listRightHolders, mostHolders } from '../../../../contract/people/rights.ts';
import type { Db } from '../../platform/db/index.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import { findHolders } from './rights.store.ts';

export const rightsRoutes = ({ db }: { readonly db: Db }): Binding[] => [
  bind(listRightHolders, async ({ query: { permission } }, { caller }) => {
    const found = await findHolders(db, caller, permission, mostHolders + 1);
    return { names: found.slice(0, mostHolders), more: found.length > mostHolders };
  }),
];
