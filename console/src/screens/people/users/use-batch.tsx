import { useTranslation } from 'react-i18next';
import { listAccountSessions, setAccountDisabled, unlockAccount } from '../../../../../contract/people/accounts.ts';
import { listUsers } from '../../../../../contract/specified/users.ts';
import { call } from '../../../api/index.ts';
import type { ListAddress } from '../../../parts/lists/use-list-address.ts';
import { formatNumber } from '../../../parts/index.ts';
import type { Batch, BatchAction } from '../../../parts/lists/batch.ts';
import { isOffered, reasonAgainst, type Operator } from '../../../parts/people/users/actions.ts';
import { queryOf, type User } from '../../../parts/people/users/user.ts';

type Several = 'disable' | 'enable' | 'unlock';
const quiet = { quiet: true };
const runs: Record<Several, (user: User) => Promise<unknown>> = {
  disable: ({ id, version }) => call(setAccountDisabled, { params: { id }, body: { disabled: true, version } }, quiet),
  enable: ({ id, version }) => call(setAccountDisabled, { params: { id }, body: { disabled: false, version } }, quiet),
  unlock: ({ id }) => call(unlockAccount, { params: { id } }, quiet),
};

/** What can be done with several accounts at once; ranks and the own account hold as for one. */
export function useBatch(address: ListAddress, operator: Operator, now: number): Batch<User> {
  const { t, i18n } = useTranslation('users');
  const action = (key: Several): BatchAction<User> => ({
    key,
    label: t(`action.${key}`),
    danger: key === 'disable',
    run: runs[key],
    title: (n) => t(`several.${key}`, { n }),
    about: (users) => {
      const sessions = users.reduce((sum, user) => sum + user.sessions, 0);
      return (
        <p>
          {key === 'disable' && sessions === 0
            ? t('several.disable.idle')
            : t(`several.${key}.text`, { n: formatNumber(sessions, i18n.language, 0) })}
        </p>
      );
    },
    against: (user) => {
      const reason = reasonAgainst(key, user, operator);
      return reason !== undefined
        ? t(reason)
        : isOffered(key, user, operator, now)
          ? undefined
          : t(`several.${key}.needless`);
    },
  });
  return {
    nameOf: (user) => user.username,
    refreshes: [listUsers, listAccountSessions],
    page: async (page, size) => (await call(listUsers, { query: { ...queryOf(address), page, size } }, quiet)).data,
    actions: operator.edit ? [action('enable'), action('disable'), action('unlock')] : [],
  };
}
