import { getI18n } from 'react-i18next';
import { listRightHolders } from '../../../../contract/people/rights.ts';
import type { Permission } from '../../../../contract/permissions.ts';
import { call } from '../../api/index.ts';
import { holdersText } from '../../parts/permissions/holders-text.ts';

/** The right in words and the colleagues who have it. Rejects when they cannot be asked for. */
export async function nameMissing(permission: Permission): Promise<string> {
  const i18n = getI18n();
  const [holders] = await Promise.all([
    call(listRightHolders, { query: { permission } }, { background: true, quiet: true }),
    i18n.loadNamespaces('permissions'),
  ]);
  const name = i18n.t(permission, { ns: 'permissions' });
  return `${i18n.t('permission.missing', { ns: 'parts', name })} · ${holdersText(i18n, holders)}`;
}
