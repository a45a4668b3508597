import { useTranslation } from 'react-i18next';
import { listRightHolders } from '../../../../contract/people/rights.ts';
import type { Permission } from '../../../../contract/permissions.ts';
import { useCall } from '../../api/use-call.ts';
import { holdersText } from './holders-text.ts';

/** The right that is missing, in words, and the colleagues of the area who have it. */
export default function MissingRight({ permission }: { permission: Permission }) {
  const { t, i18n } = useTranslation('parts');
  const { t: names } = useTranslation('permissions');
  const holders = useCall(listRightHolders, { query: { permission } }, { background: true, staleTime: 300_000 });
  return (
    <>
      {t('permission.missing', { name: names(permission) })}
      {holders.data ? <div>{holdersText(i18n, holders.data)}</div> : null}
    </>
  );
}
