import { Button } from 'antd';
import { useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOpen, usePageExists, usePageKeys, usePermission } from '../../frame/index.ts';
import { formatNumber } from '../../locales/format-number.ts';
import { inPreview, storedWorkId } from '../../session/index.ts';
import { Icon } from '../icons/Icon.tsx';
import type { ListColumn } from '../lists/columns.ts';
import { ListFrame, type ListAnswer } from '../lists/ListFrame.tsx';
import type { ListAddress } from '../lists/use-list-address.ts';
import { StateMark, type MarkState } from '../state/StateMark.tsx';
import { RelativeTime } from '../time/RelativeTime.tsx';
import { toast } from '../../frame/toast-store.ts';
import { FileButton } from './FileButton.tsx';
import type { ItemRow, Kind } from './kind.ts';
import { NameDialog, type Named } from './NameDialog.tsx';
import { useRefresh } from './use-draft.ts';
import styles from './list.module.css';

const marks = {
  draft: 'partial',
  frozen: 'off',
  inUse: 'on',
  withdrawn: 'offline',
  retired: 'offline',
} as const satisfies Record<string, MarkState>;
const states = Object.keys(marks) as (keyof typeof marks)[];

/** The state of a scheme or a template. */
export function ItemStateMark({ state }: { state: string }) {
  const { t } = useTranslation('versioned');
  const known = states.find((one) => one === state);
  return known === undefined ? <>—</> : <StateMark state={marks[known]} word={t(`state.${known}`)} />;
}

/** How the page that publishes is opened to begin with it: another one than stands there asks before it begins anew. */
export function publishOptions({ name }: Pick<Kind<never>, 'name'>, id: number) {
  const what = name === 'schemes' ? 'scheme' : 'template';
  return { search: `?${what}=${id}`, handOver: { [what]: id } };
}

interface Props<C extends object, R extends ItemRow> {
  kind: Kind<C>;
  answer: ListAnswer<R>;
  address: ListAddress;
  /** The page of one. */
  screen: string;
  texts: {
    count: (n: string) => string;
    failed: string;
    noMatch: string;
    empty: string;
    emptyText: string;
    add: string;
  };
  /** Columns of the kind, after the name. */
  own?: readonly ListColumn<R>[];
  mayEdit: boolean;
}

/** The version that lamps follow; of several the newest, and how many there are. */
function InForce({ row }: { row: ItemRow }) {
  const { t, i18n } = useTranslation('versioned');
  const [first, ...more] = row.lamps.byVersion;
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  if (first === undefined)
    return (
      <span className={styles.quiet}>
        {row.newest === null ? '—' : t('inForce.none', { n: number(row.newest.number) })}
      </span>
    );
  return (
    <>
      {t('version', { n: number(first.number) })}
      {more.length > 0 ? <small> {t('inForce.more', { n: number(more.length) })}</small> : null}
    </>
  );
}

function useColumns<R extends ItemRow>(own: readonly ListColumn<R>[], show: (id: number) => void): ListColumn<R>[] {
  const { t, i18n } = useTranslation('versioned');
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  return [
    {
      key: 'code',
      name: t('field.code'),
      sortable: true,
      always: true,
      cell: (row) => (
        <button type="button" className={styles.link} onClick={() => show(row.id)}>
          <span className="code">{row.code}</span>
        </button>
      ),
    },
    { key: 'name', name: t('field.name'), sortable: true, className: styles.text ?? '', cell: (row) => row.name },
    ...own,
    { key: 'state', state: true, name: t('field.state'), cell: (row) => <ItemStateMark state={row.state} /> },
    { key: 'inForce', name: t('field.inForce'), cell: (row) => <InForce row={row} /> },
    ...(['following', 'unreported', 'diverged'] as const).map((key) => ({
      key,
      name: t(`field.${key}`),
      hint: t(`field.${key}.hint`),
      align: 'right' as const,
      cell: (row: R) => (
        <span className={styles.count} data-bad={(key === 'diverged' && row.lamps[key] > 0) || undefined}>
          {number(row.lamps[key])}
        </span>
      ),
    })),
    {
      key: 'draft',
      name: t('field.draft'),
      cell: (row) => (row.draft === null ? '—' : t('draft.by', { by: row.draft.by })),
    },
    { key: 'area', name: t('field.area'), cell: (row) => row.workAreaName ?? t('area.all') },
    {
      key: 'updatedAt',
      name: t('field.updatedAt'),
      sortable: true,
      cell: (row) => <RelativeTime at={row.updatedAt} />,
    },
  ];
}

/** Its filters go by their names on the wire. */
const asTheyAre = (filters: ListAddress['filters']): object => filters;

/** A list of schemes or templates: what is in force, on how many lamps, whether a draft waits. */
export function ItemList<C extends object, R extends ItemRow>({
  kind,
  answer,
  address,
  screen,
  texts,
  own = [],
  mayEdit,
}: Props<C, R>) {
  const { t } = useTranslation('versioned');
  const open = useOpen();
  const refresh = useRefresh(kind);
  const [making, setMaking] = useState<{ file: Record<string, unknown> | null; named: Named } | null>(null);
  const may = mayEdit && !inPreview();
  const workId = storedWorkId();
  const fresh: Named = { code: '', name: '', workAreaId: workId === undefined ? null : Number(workId) };
  const begin = (): void => setMaking({ file: null, named: fresh });
  const show = (id: number): void => open(screen, { params: { id } });
  const here = useRef<HTMLSpanElement>(null);
  const exists = usePageExists();
  const mayPublish = usePermission('plan.publish') && exists('lamp/publish') && !inPreview();
  const isPublishable = (row: ItemRow | undefined): boolean =>
    row !== undefined && row.newest !== null && row.state !== 'withdrawn' && row.state !== 'retired';
  const publish = (id: number): void => open('lamp/publish', publishOptions(kind, id));
  const rowOf = (id: number | null): R | undefined => answer.data?.data.find((row) => row.id === id);
  usePageKeys({
    '/': () => {
      const search = here.current?.parentElement?.querySelector<HTMLInputElement>('[role="search"] input');
      search?.focus();
      return search !== null && search !== undefined;
    },
    N: () => (may ? begin() : false),
    P: (id) => {
      if (!mayPublish) return false;
      if (id === null) open('lamp/publish');
      else if (isPublishable(rowOf(id))) publish(id);
      return true;
    },
    D: (id) => {
      if (rowOf(id) === undefined || id === null) return false;
      open(screen, { params: { id }, search: '?tab=versions' });
      return true;
    },
  });
  const columns = useColumns(own, show);
  return (
    <>
      <span ref={here} hidden />
      <ListFrame<R>
        name={kind.name}
        list={answer}
        address={address}
        queryOf={asTheyAre}
        columns={columns}
        ofProjects
        onOpen={(row) => show(row.id)}
        {...(may ? { first: { text: texts.add, onClick: begin } } : {})}
        texts={texts}
        {...(mayPublish
          ? {
              renderActions: (row: R) =>
                isPublishable(row) ? (
                  <Button type="link" size="small" title={t('publish.key')} onClick={() => publish(row.id)}>
                    {t('publish')}
                  </Button>
                ) : null,
            }
          : {})}
        tools={
          mayEdit ? (
            <>
              <FileButton
                disabled={!may}
                onFile={(file) =>
                  setMaking({
                    file,
                    named: { ...fresh, code: String(file['code'] ?? ''), name: String(file['name'] ?? '') },
                  })
                }
              />
              <Button
                type="primary"
                disabled={!may}
                icon={<Icon name="plus" size={14} />}
                title={t('add.key')}
                onClick={begin}
              >
                {texts.add}
              </Button>
            </>
          ) : null
        }
        renderCards={(rows) => <Cards rows={rows} onOpen={show} />}
      />
      {making === null ? null : (
        <NameDialog
          title={making.file === null ? texts.add : t('file.bring')}
          ok={t('add.ok')}
          value={making.named}
          withArea
          onClose={() => setMaking(null)}
          onSubmit={async (named) => {
            const made = await (making.file === null
              ? kind.create(named)
              : kind.bring({ ...named, file: making.file }));
            setMaking(null);
            refresh();
            toast.done(t('add.done', { name: made.name }));
            show(made.id);
          }}
        />
      )}
    </>
  );
}

function Cards({ rows, onOpen }: { rows: readonly ItemRow[]; onOpen: (id: number) => void }): ReactNode {
  const { t, i18n } = useTranslation('versioned');
  return (
    <ul className={styles.cards}>
      {rows.map((row) => (
        <li key={row.id}>
          <button type="button" onClick={() => onOpen(row.id)}>
            <span className={styles.cardHead}>
              <b>{row.name}</b>
              <ItemStateMark state={row.state} />
            </span>
            <span className="code">{row.code}</span>
            <span className={styles.quiet}>
              <InForce row={row} /> · {t('lamps.following', { n: formatNumber(row.lamps.following, i18n.language, 0) })}
              {row.draft === null ? null : <> · {t('draft.by', { by: row.draft.by })}</>}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
