import { Button, InputNumber } from 'antd';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { limitBounds, listCommandPaces, updateCommandPace } from '../../../../../contract/light/command-settings.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { useCall, useSend } from '../../../api/index.ts';
import { useListAddress } from '../../../parts/lists/use-list-address.ts';
import { formatNumber, toast, useErrorText, useFirstStep } from '../../../parts/index.ts';
import type { ListColumn } from '../../../parts/lists/columns.ts';
import { ListFrame } from '../../../parts/lists/ListFrame.tsx';
import { SearchBox } from '../../../parts/lists/SearchBox.tsx';
import { inPreview } from '../../../session/index.ts';
import styles from './command-policy.module.css';

/** A gateway; what a table calls `children` are rows below a row. */
type Pace = Omit<ReplyOf<typeof listCommandPaces>['data'][number], 'children'> & { readonly behind: number };
const filterKeys = ['q'] as const;

const columnsOf = (t: TFunction<'command-policy'>, number: (n: number) => string): ListColumn<Pace>[] => [
  { key: 'code', name: t('paces.code'), always: true, cell: (one) => <span className="code">{one.code}</span> },
  { key: 'name', name: t('paces.name'), cell: (one) => one.name ?? '—' },
  { key: 'children', name: t('paces.children'), align: 'right', cell: (one) => number(one.behind) },
  {
    key: 'pace',
    name: t('paces.pace'),
    always: true,
    cell: (one) => <PaceField key={`${one.id} ${one.perSecond}`} one={one} />,
  },
];

/** Gateways and controllers that commands go through, each with its own pace where the site's does not suit it. */
export function Paces() {
  const { t, i18n } = useTranslation('command-policy');
  const address = useListAddress(filterKeys);
  const { q } = address.filters;
  const { action } = useFirstStep();
  const list = useCall(
    listCommandPaces,
    { query: { ...(q === undefined ? {} : { q }), page: address.page, size: address.size } },
    { keepPrevious: true, staleTime: 0 },
  );
  return (
    <ListFrame<Pace>
      name="command-paces"
      list={{
        ...list,
        data: list.data && {
          ...list.data,
          data: list.data.data.map(({ children, ...one }): Pace => ({ ...one, behind: children })),
        },
      }}
      address={address}
      columns={columnsOf(t, (n) => formatNumber(n, i18n.language, 0))}
      {...(action ? { first: action } : {})}
      texts={{
        count: (n) => t('paces.count', { n }),
        failed: t('paces.failed'),
        noMatch: t('paces.noMatch'),
        empty: t('paces.none'),
        emptyText: t('paces.noneText'),
      }}
      tools={
        <SearchBox
          className={styles.search}
          value={q ?? ''}
          label={t('paces.search')}
          maxLength={60}
          onSearch={(text) => address.search({ q: text })}
        />
      }
      renderCards={(rows) => (
        <ul className={styles.cards}>
          {rows.map((one) => (
            <li key={one.id}>
              <b className="code">{one.code}</b>
              <span>
                {one.name ?? ''} · {t('paces.childrenOf', { n: formatNumber(one.behind, i18n.language, 0) })}
              </span>
              <PaceField key={`${one.id} ${one.perSecond}`} one={one} />
            </li>
          ))}
        </ul>
      )}
    />
  );
}

/** One gateway's pace: saved with Enter or the button; empty is the site's. */
function PaceField({ one }: { one: Pace }) {
  const { t } = useTranslation('command-policy');
  const errorText = useErrorText();
  const update = useSend(updateCommandPace, [listCommandPaces], { quiet: true });
  const [value, setValue] = useState<number | null>(one.perSecond);
  const changed = value !== one.perSecond;
  const save = (): void => {
    if (!changed) return;
    update.mutateAsync({ params: { id: one.id }, body: { perSecond: value } }).then(
      () => toast.done(t('paces.saved', { code: one.code })),
      (error: unknown) => toast.failed(errorText(error)),
    );
  };
  const { minimum, maximum } = limitBounds.gatewayPerSecond;
  return (
    <span className={styles.pace}>
      <InputNumber
        size="small"
        className={styles.number ?? ''}
        min={minimum}
        max={maximum}
        step={1}
        disabled={inPreview()}
        value={value}
        placeholder={t('paces.usual')}
        suffix={t('unit.perSecond')}
        aria-label={t('paces.paceOf', { code: one.code })}
        onChange={setValue}
        onPressEnter={save}
      />
      {changed ? (
        <Button size="small" loading={update.isPending} onClick={save}>
          {t('save')}
        </Button>
      ) : null}
    </span>
  );
}
