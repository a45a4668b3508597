import {
  endAccountSession,
  endAccountSessions,
  listAccountSessions,
  setAccountDisabled,
  unlockAccount,
} from '../../../../contract/people/accounts.ts';
import {
  createUser,
  createUserDetails,
  deleteUser,
  getLevels,
  getUserDetails,
  listUsers,
  resetUserPassword,
  updateUser,
  updateUserDetails,
  userExists,
} from '../../../../contract/specified/users.ts';
import { listUserOptions } from '../../../../contract/specified/work-groups.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import { createAccountSessions } from './account-sessions.ts';
import { findUserOptions } from './user-options.store.ts';
import { createUsers, type UsersParts } from './users.service.ts';

export function usersRoutes(parts: UsersParts): Binding[] {
  const users = createUsers(parts);
  const open = createAccountSessions(parts);
  return [
    bind(listUsers, ({ query }, { caller }) => users.list(caller, query)),
    bind(createUser, ({ body }, { caller, change }) => users.createFromDialog(caller, change, body), {
      rules: ({ body = {} }) => users.problems.ofDialog(body),
    }),
    bind(updateUser, ({ body }, { caller, change }) => users.updateFromDialog(caller, change, body), {
      rules: ({ body = {} }) => users.problems.ofChange(body),
    }),
    bind(deleteUser, ({ params }, { caller, change }) => users.remove(caller, change, params.id)),
    bind(resetUserPassword, ({ params }, { caller, change }) => users.reset(caller, change, params.id)),
    bind(getLevels, (_input, { language }) => users.levels(language)),
    bind(listUserOptions, ({ query }, { caller }) => findUserOptions(parts.db, caller, query)),
    bind(userExists, ({ query }, { language }) => users.exists(query.username, language)),
    bind(getUserDetails, ({ query }, { caller }) => users.details(caller, query.userId)),
    bind(createUserDetails, ({ body }, { caller, change }) => users.createFromDetails(caller, change, body), {
      rules: ({ body = {} }) => users.problems.ofNewDetails(body),
    }),
    bind(updateUserDetails, ({ body }, ctx) => users.updateDetails(ctx.caller, ctx, body), {
      rules: ({ body = {} }, { caller }) => users.problems.ofDetails(caller, body),
    }),
    bind(unlockAccount, ({ params }, { caller, change }) => users.unlock(caller, change, params.id)),
    bind(
      setAccountDisabled,
      ({ params, body }, { caller, change }) => users.setDisabled(caller, change, params.id, body),
      { rules: 'none' },
    ),
    bind(listAccountSessions, ({ params }, { caller }) => open.list(caller, params.id)),
    bind(endAccountSession, ({ params }, { caller, change }) => open.end(caller, change, params.id, params.sessionId)),
    bind(endAccountSessions, ({ params }, { caller, change }) => open.endAll(caller, change, params.id)),
  ];
}
