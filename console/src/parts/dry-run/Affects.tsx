import { useTranslation } from 'react-i18next';
import type { DryRunThing } from '../../../../contract/dry-run.ts';
import type { InputOf, ReplyOf, RouteShape } from '../../../../contract/route.ts';
import { useDryRun } from '../../api/index.ts';
import { formatList } from '../../locales/format-list.ts';
import { formatNumber } from '../../locales/format-number.ts';
import { useErrorText } from '../notices/error-text.ts';

type Named = Extract<
  DryRunThing,
  'assignments' | 'commandTargets' | 'deviceAccounts' | 'devices' | 'positions' | 'publicationLamps' | 'records'
>;

/** What the answer of a call says of light. */
export interface Effect {
  readonly lamps: number;
  /** Of them get darker. */
  readonly darker: number;
  /** A second person has to agree first. */
  readonly second: boolean;
}

interface Props<R extends RouteShape & { readonly dryRun: true }> {
  route: R;
  /** null: nothing can be asked yet. */
  input: InputOf<R> | null;
  /** The things to name, in this order. */
  things: readonly Named[];
  /** How many of the first thing stand in the form already: the same number is not shown twice. */
  shown?: number;
  /** Said instead of the things. */
  effectOf?: (answer: ReplyOf<R>) => Effect;
}

/** One sentence: what a change would affect, or why it would be refused as things stand. */
export function Affects<const R extends RouteShape & { readonly dryRun: true }>({
  route,
  input,
  things,
  shown,
  effectOf,
}: Props<R>) {
  const { t, i18n } = useTranslation('dry-run');
  const errorText = useErrorText();
  const { data, error } = useDryRun(route, input);
  if (error) return error.kind === 'problem' ? <p role="status">{t('refused', { why: errorText(error) })}</p> : null;
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  if (effectOf && data && data.answer !== null) {
    const { lamps, darker, second } = effectOf(data.answer);
    return (
      <p role="status">
        {[
          t('affects', { what: t('commandTargets', { n: number(lamps) }) }),
          ...(darker > 0 ? [t('darker', { n: number(darker) })] : []),
          ...(second ? [t('second')] : []),
        ].join(t('and'))}
      </p>
    );
  }
  const counted = things.flatMap((thing, place) => {
    const rows = data?.would.things[thing];
    const n = rows ? rows.added + rows.changed + rows.removed : 0;
    return n === 0 || (place === 0 && n === shown) ? [] : [t(thing, { n: number(n) })];
  });
  if (counted.length === 0) return null;
  return <p role="status">{t('affects', { what: formatList(counted, i18n.language) })}</p>;
}
