export { accountsRoutes } from './accounts.routes.ts';
export {
  createAccounts,
  type AccountDetail,
  type Accounts,
  type PasswordStatus,
  type SignInAccount,
} from './accounts.service.ts';
export { areaMembers } from './area-members.query.ts';
export { displayName } from './display-name.query.ts';
export { nameKey } from './name-key.ts';
export { passwordRuleText, passwordWeaknesses } from './password-rule.ts';
export { checkPassword, hashPassword } from './passwords.ts';
export { isManageable } from './rank.ts';
export { telephoneFor } from './telephone.ts';
