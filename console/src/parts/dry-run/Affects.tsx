import { useTranslation } from 'react-i18next';
import type { DryRunThing, Would } from '../../../../contract/dry-run.ts';
import type { InputOf, ReplyOf, RouteShape } from '../../../../contract/route.ts';
import { useDryRun, useDryRuns, wantsCount } from '../../api/index.ts';
import { formatList } from '../../locales/format-list.ts';
import { formatNumber } from '../../locales/format-number.ts';
import { useErrorText } from '../notices/error-text.ts';

type Named = Extract<
  DryRunThing,
  'assignments' | 'commandTargets' | 'deviceAccounts' | 'devices' | 'positions' | 'publicationLamps' | 'records'
>;

/** What the answer of a call says of light. */
export interface Effect {
  /** Said instead of the things. */
  readonly lamps?: number;
  /** So many get darker. */
  readonly darker: number;
  /** A second person has to agree first. */
  readonly second?: boolean;
}

interface Words {
  /** The things to name, in this order. */
  things: readonly Named[];
  /** How many of the first thing stand in the form already: the same number is not shown twice. */
  shown?: number;
  /** Said where there is nothing else to say: no lamp is affected, or none gets darker. */
  otherwise?: 'none' | 'noneDarker';
}

interface Props<R extends RouteShape & { readonly dryRun: true }> extends Words {
  route: R;
  /** null: nothing can be asked yet. */
  input: InputOf<R> | null;
  /** The body of a call that takes a file. */
  file?: File;
  effectOf?: (answer: ReplyOf<R>) => Effect;
}

/** One sentence: what a change would affect, or why it would be refused as things stand. */
export function Affects<const R extends RouteShape & { readonly dryRun: true }>({
  route,
  input,
  file,
  effectOf,
  ...words
}: Props<R>) {
  const { t } = useTranslation('dry-run');
  const errorText = useErrorText();
  const { data, error } = useDryRun(route, input, file);
  if (error?.kind === 'problem') {
    const why = errorText(error);
    return <p role="status">{wantsCount(error) ? why : t('refused', { why })}</p>;
  }
  if (error || !data) return null;
  return (
    <Sentence
      {...words}
      rows={data.would.things}
      {...(effectOf && data.answer !== null ? { effect: effectOf(data.answer) } : {})}
    />
  );
}

/** What several calls of a route would affect together, and how many of them would be refused. */
export function SeveralAffect<const R extends RouteShape & { readonly dryRun: true }>({
  route,
  inputs,
  ...words
}: Words & {
  route: R;
  /** One after the other; null: nothing can be asked yet. */
  inputs: readonly InputOf<R>[] | null;
}) {
  const { t, i18n } = useTranslation('dry-run');
  const errorText = useErrorText();
  const { data } = useDryRuns(route, inputs);
  if (!data || !inputs) return null;
  const { refused, things } = data;
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  return (
    <>
      <Sentence {...words} rows={things} />
      {refused[0] ? (
        <p role="status">
          {t('refusedOf', { n: number(refused.length), of: number(inputs.length), why: errorText(refused[0]) })}
        </p>
      ) : null}
    </>
  );
}

function Sentence({
  rows,
  things,
  shown,
  otherwise,
  effect: { lamps, darker, second = false } = { darker: 0 },
}: Words & { rows: Would['things']; effect?: Effect }) {
  const { t, i18n } = useTranslation('dry-run');
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const counted = things.flatMap((thing, place) => {
    const of = rows[thing];
    const n = of ? of.added + of.changed + of.removed : 0;
    return n === 0 || (place === 0 && n === shown) ? [] : [t(thing, { n: number(n) })];
  });
  const what = lamps === undefined ? counted : [t('commandTargets', { n: number(lamps) })];
  const said = [
    ...(what.length > 0 ? [t('affects', { what: formatList(what, i18n.language) })] : []),
    ...(darker > 0 ? [t('darker', { n: number(darker) })] : []),
    ...(second ? [t('second')] : []),
  ];
  if (said.length > 0) return <p role="status">{said.join(t('and'))}</p>;
  return otherwise ? <p role="status">{t(otherwise)}</p> : null;
}
