import type { Static } from 'typebox';
import type { CurrentUser } from '../../../../contract/specified/account.ts';
import type { AccountDetail } from './accounts.service.ts';

/** The signed-in account by the names of the fixed calls; registration and last login stand in two spellings each. */
export function currentUserOf({ account, roles }: AccountDetail): Static<typeof CurrentUser> {
  const registered = account.created_at.toISOString();
  const lastLogin = account.last_login_at?.toISOString() ?? null;
  return {
    id: account.id,
    userId: account.id,
    username: account.username,
    nickname: account.nickname,
    familyName: account.family_name,
    name: account.given_name,
    mobile: account.mobile,
    email: account.email,
    imgPath: account.avatar,
    discTitle: account.title,
    discDetail: account.description,
    treeLevel: account.level,
    roleIds: roles.length > 0 ? roles.map(({ id }) => id).join(',') : null,
    roleNames: roles.length > 0 ? roles.map(({ name }) => name).join(',') : null,
    createTime: registered,
    updateTime: lastLogin,
    registerTime: registered,
    lastLogin,
  };
}
