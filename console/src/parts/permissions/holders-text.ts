import type { i18n as I18n } from 'i18next';
import type { listRightHolders } from '../../../../contract/people/rights.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { formatList } from '../../locales/format-list.ts';

/** Whom an operator can ask for what he may not do himself. */
export function holdersText(i18n: I18n, { names, more }: ReplyOf<typeof listRightHolders>): string {
  if (names.length === 0) return i18n.t(more ? 'permission.askUnnamed' : 'permission.askNobody', { ns: 'parts' });
  return i18n.t(more ? 'permission.askMore' : 'permission.ask', {
    ns: 'parts',
    names: formatList(names, i18n.language),
  });
}
