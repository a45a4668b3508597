import { useEffect, useEffectEvent, useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListAddress } from './use-list-address.ts';
import { Empty, ErrorState, RefreshBar, Skeleton, type NoticeAction } from '../notices/Notices.tsx';
import { NotRefreshed } from '../page/Freshness.tsx';
import { Card } from '../page/PageBar.tsx';
import { formatNumber } from '../../locales/format-number.ts';
import { useNarrow } from '../page/use-narrow.ts';
import type { Batch, ListRow } from './batch.ts';
import { useListLook, type ListColumn } from './columns.ts';
import { ColumnSettings } from './ColumnSettings.tsx';
import { emptyColumns } from './empty-columns.ts';
import { EmptyColumns, ListHead, RefreshButton } from './ListHead.tsx';
import { ListMenu } from './ListMenu.tsx';
import { ListRows } from './ListRows.tsx';
import type { Chosen } from './use-chosen.ts';
import type { OwnPeek } from './use-peek.ts';
import type { QueryOf } from './views/use-view-counts.ts';
import { useViews } from './views/use-views.ts';
import { ViewChips } from './views/ViewChips.tsx';

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

export interface ListProps<R> {
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
  /** Filters as the list's call takes them: saved views are counted by it. Absent: they have no counts. */
  queryOf?: QueryOf;
  columns: readonly ListColumn<R>[];
  /** Its rows stand in projects: an account without one reads so when the list is empty. */
  ofProjects?: boolean;
  /** What an empty list offers. */
  first?: NoticeAction;
  tools?: ReactNode;
  /** Asks again what the button refreshes; absent: the rows. */
  onRefresh?: () => void;
  /** Beside the count: views, notes. */
  chips?: ReactNode;
  ownSort?: string;
  /** The page of a row: Enter opens it, and the peek has the way to it. */
  onOpen?: (row: R) => void;
  /** The list's own drawer for a row; absent: a side panel with every column. */
  peek?: OwnPeek<R>;
  /** What can be done with a row, at its end. */
  renderActions?: (row: R) => ReactNode;
  rowClass?: (row: R) => string;
  /** What can be done with several; absent, or without any action: nothing is selected. */
  batch?: Batch<R>;
  /** Rows that are selected elsewhere too, and what is done with them there. */
  selection?: { readonly chosen: Chosen<R>; readonly nameOf: (row: R) => string };
  /** The rows on a phone; `check` selects one. Absent: cards out of the columns. */
  renderCards?: (rows: readonly R[], check: (row: R) => ReactNode) => ReactNode;
}

const none: readonly never[] = [];

/**
 * A list's card: count line, tools, rows, batch bar, pages, and every state the list can be in. Every list of the
 * console is this part.
 */
export function ListFrame<R extends ListRow>(props: ListProps<R>) {
  const { name, list, address, texts, columns, first, tools, chips } = props;
  const { t, i18n } = useTranslation('declared');
  const { t: words } = useTranslation('lists');
  const narrow = useNarrow();
  const look = useListLook(name, columns);
  const rows = list.data?.data ?? none;
  const total = list.data?.recordsTotal ?? 0;
  const about = list.data?.recordsTotalExact === false;
  const views = useViews(name, address, list.refetch);
  const counting = {
    address,
    refetch: list.refetch,
    queryOf: props.queryOf,
    total: list.isPlaceholderData || about || views.opening ? undefined : list.data?.recordsTotal,
  };
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
  const [unfolded, setUnfolded] = useState(false);
  const { shown, chosen } = look;
  const sort = address.sort ?? props.ownSort;
  const empty = useMemo(() => (chosen ? none : emptyColumns(shown, rows, sort)), [chosen, shown, rows, sort]);
  const drawn = unfolded || empty.length === 0 ? shown : shown.filter((column) => !empty.includes(column));

  let body: ReactNode;
  if (list.isPending || look.arriving || views.opening) body = <Skeleton rows={10} height={460} />;
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
  else body = <ListRows {...props} {...{ rows, total, about, look, drawn, narrow }} />;

  return (
    <Card flush>
      <RefreshBar active={list.isFetching && !list.isPending} />
      <ListHead
        count={list.data ? texts.count(number(total), about) : (texts.doing ?? ' ')}
        {...(list.isFetching && list.data && texts.doing !== undefined ? { doing: texts.doing } : {})}
        chips={
          <>
            {narrow ? null : (
              <EmptyColumns
                names={empty.map((column) => column.name)}
                shown={unfolded}
                onTurn={() => setUnfolded(!unfolded)}
              />
            )}
            {chips}
          </>
        }
        views={views.enabled ? <ViewChips {...{ views, counting, address }} /> : null}
        tools={
          <>
            {narrow ? null : <ColumnSettings look={look} />}
            <RefreshButton onClick={props.onRefresh ?? (() => void list.refetch())} />
            <ListMenu refetch={list.refetch} />
            {tools}
          </>
        }
      />
      {list.error && list.data ? <NotRefreshed error={list.error} /> : null}
      {body}
    </Card>
  );
}
