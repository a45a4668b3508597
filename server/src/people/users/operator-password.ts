import { refuse, type Caller } from '../../platform/http/index.ts';
import type { CheckOwnPassword } from '../sign-in/index.ts';

/** What clients of the family compare; the same in every language. */
const familyDetail = '管理员密码不正确！';

/**
 * Editing an account requires the editor's own current password. A wrong one is refused; the fifth in a row ends the
 * session.
 */
export async function checkOperatorPassword(
  check: CheckOwnPassword,
  caller: Caller,
  encrypted: string | null | undefined,
  address: string,
): Promise<void> {
  if (!encrypted?.trim())
    throw refuse(
      'wrongOperatorPassword',
      {},
      { detail: familyDetail, fields: [{ field: 'currentUserPwd', rule: 'required' }] },
    );
  if (!(await check(caller, encrypted, address)).right)
    throw refuse(
      'wrongOperatorPassword',
      {},
      { detail: familyDetail, fields: [{ field: 'currentUserPwd', rule: 'invalid' }] },
    );
}
