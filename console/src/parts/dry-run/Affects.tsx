import { useTranslation } from 'react-i18next';
import type { DryRunThing } from '../../../../contract/dry-run.ts';
import type { InputOf, RouteShape } from '../../../../contract/route.ts';
import { useDryRun } from '../../api/index.ts';
import { formatList } from '../../locales/format-list.ts';
import { formatNumber } from '../../locales/format-number.ts';
import { useErrorText } from '../notices/error-text.ts';

type Named = Extract<
  DryRunThing,
  'assignments' | 'commandTargets' | 'deviceAccounts' | 'devices' | 'positions' | 'records'
>;

interface Props<R extends RouteShape & { readonly dryRun: true }> {
  route: R;
  /** null: nothing can be asked yet. */
  input: InputOf<R> | null;
  /** The things to name, in this order. */
  things: readonly Named[];
  /** How many of the first thing stand in the form already: the same number is not shown twice. */
  shown?: number;
}

/** One sentence: what a change would affect, or why it would be refused as things stand. */
export function Affects<const R extends RouteShape & { readonly dryRun: true }>({
  route,
  input,
  things,
  shown,
}: Props<R>) {
  const { t, i18n } = useTranslation('dry-run');
  const errorText = useErrorText();
  const { data, error } = useDryRun(route, input);
  if (error) return error.kind === 'problem' ? <p role="status">{t('refused', { why: errorText(error) })}</p> : null;
  const counted = things.flatMap((thing, place) => {
    const rows = data?.would.things[thing];
    const n = rows ? rows.added + rows.changed + rows.removed : 0;
    return n === 0 || (place === 0 && n === shown) ? [] : [t(thing, { n: formatNumber(n, i18n.language, 0) })];
  });
  if (counted.length === 0) return null;
  return <p role="status">{t('affects', { what: formatList(counted, i18n.language) })}</p>;
}
