import { Button } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { exportExceptions } from '../../../../../contract/desk/exports.ts';
import { exceptionStates, listExceptions } from '../../../../../contract/light/exceptions.ts';
import { useCall, useLive } from '../../../api/index.ts';
import { usePermission, useTabTitle } from '../../../frame/index.ts';
import { Icon, Page, PageBar, StateMark, type MarkState } from '../../../parts/index.ts';
import { ExceptionActions } from '../../../parts/exceptions/ExceptionActions.tsx';
import { useExceptionWords, type Exception } from '../../../parts/exceptions/words.ts';
import { CardLine, Cards } from '../../../parts/lists/Cards.tsx';
import type { ListColumn } from '../../../parts/lists/columns.ts';
import { ListFrame } from '../../../parts/lists/ListFrame.tsx';
import { useListAddress } from '../../../parts/lists/use-list-address.ts';
import { searchField } from '../../../parts/search-fields/index.ts';
import { SearchPanel } from '../../../parts/search-fields/SearchPanel.tsx';
import { ExportMenu } from '../../../parts/tasks/ExportMenu.tsx';
import { inPreview } from '../../../session/index.ts';
import { ExceptionDialog } from './ExceptionDialog.tsx';
import styles from './exceptions.module.css';

const filterKeys = ['q', 'state'] as const;
const marks: Readonly<Record<Exception['state'], MarkState>> = {
  awaitingApproval: 'partial',
  planned: 'partial',
  inForce: 'on',
  ended: 'off',
  cancelled: 'off',
  refused: 'offline',
  lapsed: 'offline',
};

const queryOf = ({ q, state }: Readonly<Record<string, string>>) => ({
  ...(q === undefined ? {} : { q }),
  ...(state === undefined ? {} : { state }),
});

/** Exceptions of plans (临时例外): another light for some lighting days or hours, who asked for it, and why. */
export default function Exceptions() {
  const { t } = useTranslation('exceptions');
  const address = useListAddress(filterKeys);
  const filters = queryOf(address.filters);
  const list = useCall(
    listExceptions,
    {
      query: { ...filters, page: address.page, size: address.size },
    },
    { keepPrevious: true, every: 30_000 },
  );
  useLive('plans', () => void list.refetch());
  const may = usePermission('plan.exception') && !inPreview();
  const [making, setMaking] = useState(false);
  useTabTitle(t('menu'));
  const columns = useColumns();
  const make = (): void => setMaking(true);
  return (
    <Page list>
      <PageBar title={t('menu')} note={t('note')} />
      <SearchPanel
        fields={[
          { key: 'q', label: t('search.q') },
          searchField({
            key: 'state',
            label: t('field.state'),
            type: 'select',
            multiple: true,
            options: exceptionStates.map((value) => ({ itemName: t(`state.${value}`), itemValue: value })),
          }),
        ]}
        values={address.filters}
        onSearch={address.search}
      />
      <ListFrame<Exception>
        name="exceptions"
        list={list}
        address={address}
        queryOf={queryOf}
        columns={columns}
        ofProjects
        renderActions={rowActions}
        {...(may ? { first: { text: t('add'), onClick: make } } : {})}
        texts={{
          count: (n) => t('count', { n }),
          failed: t('failed'),
          noMatch: t('noMatch'),
          empty: t('empty'),
          emptyText: t('empty.text'),
        }}
        tools={
          <>
            {may ? (
              <Button type="primary" icon={<Icon name="plus" size={14} />} onClick={make}>
                {t('add')}
              </Button>
            ) : null}
            <ExportMenu
              call={exportExceptions}
              body={(format) => ({ format, ...filters })}
              empty={list.data?.recordsTotal === 0}
            />
          </>
        }
        renderCards={(rows) => <Cards rows={rows} render={(row) => <Card row={row} />} />}
      />
      {making ? <ExceptionDialog onClose={() => setMaking(false)} /> : null}
    </Page>
  );
}

/** Its column keeps its width when no row of the page has an action: the head stays on one line. */
const rowActions = (row: Exception) => (
  <span className={styles.actions}>
    <ExceptionActions row={row} />
  </span>
);

/** An exception on a phone. */
function Card({ row }: { row: Exception }) {
  const { t } = useTranslation('exceptions');
  const words = useExceptionWords();
  return (
    <>
      <b>{row.reason}</b>
      <StateMark state={marks[row.state]} word={t(`state.${row.state}`)} />
      <Ending of={row} />
      <CardLine>
        {words.effect(row)} · {words.when(row)}
      </CardLine>
      <CardLine>
        {words.scope(row)} · {words.lampsInWords(row)} · {row.actorName}
        {row.agreedBy === null ? null : ` · ${t('field.agreedBy')} ${row.agreedBy}`}
      </CardLine>
      <ExceptionActions row={row} large />
    </>
  );
}

/** Who wants it to end before its time, while a second person has not decided. */
function Ending({ of }: { of: Exception }) {
  const text = useExceptionWords().ending(of);
  return text === null ? null : <small className={styles.ending}>{text}</small>;
}

function useColumns(): ListColumn<Exception>[] {
  const { t } = useTranslation('exceptions');
  const words = useExceptionWords();
  return useMemo(
    () => [
      { key: 'reason', name: t('field.reason'), always: true, className: styles.text ?? '', cell: (row) => row.reason },
      {
        key: 'state',
        state: true,
        name: t('field.state'),
        className: styles.text ?? '',
        cell: (row) => (
          <>
            <StateMark state={marks[row.state]} word={t(`state.${row.state}`)} />
            <Ending of={row} />
          </>
        ),
      },
      { key: 'effect', name: t('field.effect'), cell: words.effect },
      { key: 'when', name: t('field.when'), cell: words.when },
      { key: 'scope', name: t('field.scope'), cell: words.scope },
      { key: 'lamps', name: t('field.lamps'), align: 'right', cell: words.lamps },
      { key: 'by', name: t('field.by'), cell: (row) => row.actorName },
      { key: 'floor', name: t('field.floor'), align: 'right', cell: words.floor },
      { key: 'agreedBy', name: t('field.agreedBy'), cell: (row) => row.agreedBy ?? '—' },
    ],
    [t, words],
  );
}
