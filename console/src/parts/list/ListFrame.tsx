import { Button, Pagination } from 'antd';
import { useEffect, useEffectEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { pageSizes, type ListAddress } from '../declared/use-list-address.ts';
import { Icon } from '../icon/Icon.tsx';
import { Empty, ErrorState, RefreshBar, Skeleton, type NoticeAction } from '../Notices.tsx';
import { Card } from '../PageBar.tsx';
import { formatNumber } from '../Quantity.tsx';
import { useNarrow } from '../use-narrow.ts';
import styles from './list.module.css';

/** What the frame asks of a list's query. */
interface Asked {
  data: { data: readonly unknown[]; recordsTotal: number; recordsTotalExact?: boolean } | undefined;
  error: unknown;
  isPending: boolean;
  isFetching: boolean;
  isPlaceholderData: boolean;
  refetch: () => unknown;
}

interface Props {
  list: Asked;
  address: ListAddress;
  texts: { count: (n: string, about: boolean) => string; failed: string; noMatch: string; empty: string; doing?: string };
  /** What an empty list offers. */
  first?: NoticeAction;
  tools?: ReactNode;
  children: ReactNode;
}

/** A list's card: count line, tools, pages, and every state the list can be in; the rows are the children. */
export function ListFrame({ list, address, texts, first, tools, children }: Props) {
  const { t, i18n } = useTranslation('declared');
  const narrow = useNarrow();
  const rows = list.data?.data.length ?? 0;
  const total = list.data?.recordsTotal ?? 0;
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const conditions = Object.keys(address.filters).length;
  const from = (address.page - 1) * address.size;
  // The last row of the last page was deleted, or the address asks for more than there is.
  const beyond = list.data !== undefined && !list.isPlaceholderData && rows === 0 && total > 0 && address.page > 1;
  const back = useEffectEvent(() => address.turn(Math.max(1, Math.ceil(total / address.size)), address.size));
  useEffect(() => { if (beyond) back(); }, [beyond]);
  const nothing = conditions > 0
    ? <Empty title={texts.noMatch} text={t('list.empty.conditions', { n: conditions })} action={{ text: t('list.empty.clear'), onClick: () => address.search({}) }} />
    : <Empty title={texts.empty} {...(first ? { action: first } : {})} />;
  return (
    <Card flush>
      <RefreshBar active={list.isFetching && !list.isPending} />
      <div className={styles.bar}>
        <span className={styles.count} role="status">{list.data ? texts.count(number(total), list.data.recordsTotalExact === false) : texts.doing ?? ' '}</span>
        {list.isFetching && list.data && texts.doing !== undefined ? <span className={styles.doing}>{texts.doing}</span> : null}
        <span className={styles.tools}>
          <Button type="text" aria-label={t('list.refresh')} title={t('list.refresh')} icon={<Icon name="retry" />} onClick={() => void list.refetch()} />
          {tools}
        </span>
      </div>
      {list.isPending ? <Skeleton rows={10} height={460} /> : list.error && !list.data ? <ErrorState title={texts.failed} error={list.error} onRetry={list.refetch} /> : total === 0 ? nothing : (
        <>
          {children}
          <div className={styles.bar}>
            <span className={styles.count}>{t('list.range', { from: number(from + 1), to: number(Math.min(from + address.size, total)), n: number(total) })}</span>
            <span className={styles.tools}>
              <Pagination
                current={address.page} pageSize={address.size} total={total} showSizeChanger showQuickJumper={total > address.size && !narrow} responsive size="small"
                pageSizeOptions={[...pageSizes]} onChange={(page, size) => address.turn(size === address.size ? page : 1, size)}
              />
            </span>
          </div>
        </>
      )}
    </Card>
  );
}
