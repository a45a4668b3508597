import { Button, Checkbox, Pagination } from 'antd';
import { useEffect, useEffectEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { pageSizes, type ListAddress } from './use-list-address.ts';
import { Icon } from '../icons/Icon.tsx';
import { Empty, ErrorState, RefreshBar, Skeleton, type NoticeAction } from '../notices/Notices.tsx';
import { NotRefreshed } from '../page/Freshness.tsx';
import { Card } from '../page/PageBar.tsx';
import { formatNumber } from '../../locales/format-number.ts';
import { useNarrow } from '../page/use-narrow.ts';
import { inPreview } from '../../session/index.ts';
import type { Batch, ListRow } from './batch.ts';
import { BatchBar } from './BatchBar.tsx';
import { useListLook, type ListColumn } from './columns.ts';
import { ColumnSettings } from './ColumnSettings.tsx';
import { ListTable } from './ListTable.tsx';
import { useChosen } from './use-chosen.ts';
import styles from './list.module.css';

/** What the frame asks of a list's query. */
export interface ListAnswer<R> {
  readonly data:
    | { readonly data: readonly R[]; readonly recordsTotal: number; readonly recordsTotalExact?: boolean }
    | undefined;
  readonly error: unknown;
  readonly isPending: boolean;
  readonly isFetching: boolean;
  /** Still the rows of another question. */
  readonly isPlaceholderData: boolean;
  readonly refetch: () => unknown;
}

interface Props<R> {
  /** Under which the account's columns are kept. */
  name: string;
  list: ListAnswer<R>;
  address: ListAddress;
  texts: {
    count: (n: string, about: boolean) => string;
    failed?: string;
    noMatch: string;
    empty: string;
    emptyText?: string;
    doing?: string;
  };
  columns: readonly ListColumn<R>[];
  /** Its rows stand in projects: an account without one reads so when the list is empty. */
  ofProjects?: boolean;
  /** What an empty list offers. */
  first?: NoticeAction;
  tools?: ReactNode;
  ownSort?: string;
  /** Rows take the focus, arrows go from one to the next, Enter opens. */
  onOpen?: (row: R) => void;
  /** What can be done with a row, at its end. */
  renderActions?: (row: R) => ReactNode;
  rowClass?: (row: R) => string;
  /** What can be done with several; absent, or without any action: nothing is selected. */
  batch?: Batch<R>;
  /** The rows on a phone; `check` selects one. Without it the table stands there too. */
  renderCards?: (rows: readonly R[], check: (row: R) => ReactNode) => ReactNode;
}

const none: readonly never[] = [];

/**
 * A list's card: count line, tools, rows, batch bar, pages, and every state the list can be in. Every list of the
 * console is this part.
 */
export function ListFrame<R extends ListRow>(props: Props<R>) {
  const { name, list, address, texts, columns, first, tools } = props;
  const { t, i18n } = useTranslation('declared');
  const { t: words } = useTranslation('lists');
  const narrow = useNarrow();
  const look = useListLook(name, columns);
  const rows = list.data?.data ?? none;
  const total = list.data?.recordsTotal ?? 0;
  const about = list.data?.recordsTotalExact === false;
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const conditions = Object.keys(address.filters).length;
  // The last row of the last page was deleted, or the address asks for more than there is.
  const beyond =
    list.data !== undefined && !list.isPlaceholderData && rows.length === 0 && total > 0 && address.page > 1;
  const back = useEffectEvent(() => address.turn(Math.max(1, Math.ceil(total / address.size)), address.size));
  const mayJump = beyond && !about;
  useEffect(() => {
    if (mayJump) back();
  }, [mayJump]);
  const asTable = !narrow || props.renderCards === undefined;

  let body: ReactNode;
  if (list.isPending || look.arriving) body = <Skeleton rows={10} height={460} />;
  else if (list.error && !list.data)
    body = (
      <ErrorState
        {...(texts.failed === undefined ? {} : { title: texts.failed })}
        error={list.error}
        onRetry={list.refetch}
      />
    );
  else if (total === 0 && conditions > 0)
    body = (
      <Empty
        title={texts.noMatch}
        text={t('list.empty.conditions', { n: conditions })}
        action={{ text: t('list.empty.clear'), onClick: () => address.search({}) }}
      />
    );
  else if (total === 0)
    body = (
      <Empty
        ofProjects={props.ofProjects === true}
        title={texts.empty}
        {...(texts.emptyText === undefined ? {} : { text: texts.emptyText })}
        {...(first ? { action: first } : {})}
      />
    );
  // An estimate leads nowhere in particular: the operator decides.
  else if (beyond && about)
    body = (
      <Empty
        title={words('beyond')}
        text={words('beyond.text')}
        action={{ text: words('beyond.first'), onClick: () => address.turn(1, address.size) }}
      />
    );
  else body = <Rows {...props} rows={rows} total={total} about={about} look={look} asTable={asTable} narrow={narrow} />;

  return (
    <Card flush>
      <RefreshBar active={list.isFetching && !list.isPending} />
      <div className={styles.bar}>
        <span className={styles.count} role="status">
          {list.data ? texts.count(number(total), about) : (texts.doing ?? ' ')}
        </span>
        {list.isFetching && list.data && texts.doing !== undefined ? (
          <span className={styles.doing}>{texts.doing}</span>
        ) : null}
        <span className={styles.tools}>
          {asTable ? <ColumnSettings look={look} /> : null}
          <Button
            type="text"
            aria-label={t('list.refresh')}
            title={t('list.refresh')}
            icon={<Icon name="retry" />}
            onClick={() => void list.refetch()}
          />
          {tools}
        </span>
      </div>
      {list.error && list.data ? <NotRefreshed error={list.error} /> : null}
      {body}
    </Card>
  );
}

interface RowsProps<R> extends Props<R> {
  rows: readonly R[];
  total: number;
  about: boolean;
  look: ReturnType<typeof useListLook<R>>;
  asTable: boolean;
  narrow: boolean;
}

function Rows<R extends ListRow>({
  rows,
  total,
  about,
  look,
  asTable,
  narrow,
  address,
  ownSort,
  onOpen,
  renderActions,
  rowClass,
  batch,
  renderCards,
}: RowsProps<R>) {
  const { t, i18n } = useTranslation('declared');
  const { t: words } = useTranslation('lists');
  const chosen = useChosen(JSON.stringify(address.filters), rows);
  const several = batch && batch.actions.length + (batch.tools?.length ?? 0) > 0 && !inPreview() ? batch : undefined;
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const from = (address.page - 1) * address.size;
  const range = { from: number(from + 1), to: number(from + rows.length), n: number(total) };
  const check = (row: R): ReactNode =>
    several ? (
      <Checkbox
        className={styles.check ?? ''}
        checked={chosen.has(row.id)}
        onChange={(event) => chosen.change([row], event.target.checked)}
        aria-label={words('batch.choose', { name: several.nameOf(row) })}
      />
    ) : null;
  return (
    <>
      <div data-list={look.name} {...(look.density === undefined ? {} : { 'data-density': look.density })}>
        {asTable ? (
          <ListTable
            {...{ rows, address, ownSort, onOpen, renderActions, rowClass }}
            columns={look.shown}
            widths={look.widths}
            onWidth={look.setWidth}
            selection={several ? { chosen, nameOf: several.nameOf } : undefined}
          />
        ) : (
          renderCards?.(rows, check)
        )}
      </div>
      {several ? <BatchBar batch={several} chosen={chosen} total={total} /> : null}
      <div className={styles.bar}>
        <span className={styles.count}>{about ? words('rangeAbout', range) : t('list.range', range)}</span>
        <span className={styles.tools}>
          <Pagination
            current={address.page}
            pageSize={address.size}
            total={total}
            showSizeChanger
            showQuickJumper={total > address.size && !narrow}
            responsive
            size="small"
            pageSizeOptions={[...pageSizes]}
            onChange={(page, size) => address.turn(size === address.size ? page : 1, size)}
          />
        </span>
      </div>
    </>
  );
}
