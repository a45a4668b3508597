import { Checkbox, Pagination } from 'antd';
import { useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../locales/format-number.ts';
import { inPreview } from '../../session/index.ts';
import type { ListRow } from './batch.ts';
import { BatchBar } from './BatchBar.tsx';
import { ColumnCards } from './Cards.tsx';
import type { ListColumn, useListLook } from './columns.ts';
import type { ListProps } from './ListFrame.tsx';
import { ListTable } from './ListTable.tsx';
import { Peek } from './Peek.tsx';
import { useChosen } from './use-chosen.ts';
import { pageSizes } from './use-list-address.ts';
import { usePeek } from './use-peek.ts';
import { useRowFocus } from './use-row-focus.ts';
import styles from './list.module.css';

interface Props<R> extends ListProps<R> {
  rows: readonly R[];
  total: number;
  about: boolean;
  look: ReturnType<typeof useListLook<R>>;
  /** The columns of the table: those shown but for the ones folded away. */
  drawn: readonly ListColumn<R>[];
  narrow: boolean;
}

/** The rows of a list, as a table or on a phone as cards; batch bar, pages, and the peek at one of them. */
export function ListRows<R extends ListRow>(props: Props<R>) {
  const { rows, total, about, look, drawn, narrow, address, batch, onOpen, renderActions, renderCards } = props;
  const { t, i18n } = useTranslation('declared');
  const { t: words } = useTranslation('lists');
  const own = useChosen(JSON.stringify(address.filters), rows);
  const several = batch && batch.actions.length + (batch.tools?.length ?? 0) > 0 && !inPreview() ? batch : undefined;
  const selection = props.selection ?? (several ? { chosen: own, nameOf: several.nameOf } : undefined);
  const peek = usePeek(rows, props.peek);
  const panel = useRef<HTMLElement>(null);
  const { within, onRow } = useRowFocus(rows, {
    open: onOpen ?? peek.show,
    ...(selection ? { select: (row: R) => selection.chosen.change([row], !selection.chosen.has(row.id)) } : {}),
    peek: peek.show,
    enter: props.peek ? props.peek.enter : () => panel.current?.focus(),
    peeked: peek.id,
  });
  const list = useRef<HTMLDivElement>(null);
  const close = (): void => {
    const row = list.current?.querySelector<HTMLElement>(`[data-row-key="${peek.id ?? ''}"]`);
    if (panel.current?.contains(document.activeElement) === true) row?.focus();
    peek.close();
  };
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const from = (address.page - 1) * address.size;
  const range = { from: number(from + 1), to: number(from + rows.length), n: number(total) };
  const check = (row: R): ReactNode =>
    selection ? (
      <Checkbox
        className={styles.check ?? ''}
        checked={selection.chosen.has(row.id)}
        onChange={(event) => selection.chosen.change([row], event.target.checked)}
        aria-label={words('batch.choose', { name: selection.nameOf(row) })}
      />
    ) : null;
  const rowClass = (row: R): string =>
    [props.rowClass?.(row), row.id === peek.id ? styles.peeked : ''].filter(Boolean).join(' ');
  return (
    <>
      <div
        ref={(element) => {
          list.current = element;
          within(element);
        }}
        data-list={look.name}
        {...(look.density === undefined ? {} : { 'data-density': look.density })}
      >
        {!narrow ? (
          <ListTable
            {...{ rows, address, renderActions, rowClass, onRow, selection }}
            ownSort={props.ownSort}
            columns={drawn}
            widths={look.widths}
            onWidth={look.setWidth}
          />
        ) : renderCards ? (
          renderCards(rows, check)
        ) : (
          <ColumnCards rows={rows} columns={look.shown} check={check} actions={renderActions} onPeek={peek.show} />
        )}
      </div>
      {several ? <BatchBar batch={several} chosen={own} total={total} /> : null}
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
      {peek.row === null ? null : (
        <Peek
          row={peek.row}
          columns={look.all}
          panel={panel}
          actions={renderActions?.(peek.row)}
          onOpen={onOpen}
          onClose={close}
        />
      )}
    </>
  );
}
