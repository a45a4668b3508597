import { getCurrentUser, getWorkAreaOptions } from '../../../../contract/specified/account.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import type { Accounts } from './accounts.service.ts';
import { currentUserOf } from './accounts.specified.ts';

export const accountsRoutes = (accounts: Accounts): Binding[] => [
  bind(getCurrentUser, async (_input, ctx) => currentUserOf(await accounts.detail(ctx.caller.accountId))),
  bind(getWorkAreaOptions, async (_input, ctx) => ({
    success: true,
    data: await accounts.workAreas(ctx.caller),
    msg: '',
  })),
];
