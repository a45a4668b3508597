import { useMemo, useState } from 'react';
import { Drawer } from 'antd';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { familyOf } from '../../../../../catalogue/families/index.ts';
import { usePermission } from '../../../frame/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { ExportButton } from '../../../parts/declared/ExportButton.tsx';
import { deviceSource, type Row, type Source } from '../../../parts/declared/source.ts';
import { useSeveral } from '../../../parts/declared/use-several.tsx';
import { fetchRows } from '../../../parts/declared/use-source.ts';
import { Empty, ErrorState, Skeleton } from '../../../parts/index.ts';
import { MOST_CHOSEN } from '../../../parts/lists/batch.ts';
import { BatchBar } from '../../../parts/lists/BatchBar.tsx';
import { DeviceLink } from '../../../parts/devices/Head.tsx';
import styles from './map.module.css';

/** So many ids fit into one question. */
const IDS_A_CALL = 120;
const SHOWN = 200;

async function rowsOf(source: Source, ids: readonly number[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (let at = 0; at < ids.length; at += IDS_A_CALL) {
    const some = ids.slice(at, at + IDS_A_CALL);
    rows.push(...(await fetchRows(source, { ids: some.join(','), size: some.length })));
  }
  return rows;
}

interface Props {
  family: string;
  ids: readonly number[];
  onClose: () => void;
}

/** The selected devices of a family as a list: edited, enabled, deleted, labelled and exported as in its own list. */
export function SelectionDrawer({ family: key, ids, onClose }: Props) {
  const { t } = useTranslation('device-map');
  const names = useNames();
  const source = useMemo(() => {
    const family = familyOf(key);
    return family && deviceSource(family);
  }, [key]);
  return (
    <Drawer
      open
      title={t('select.list', { family: names.family(key), n: ids.length })}
      size="min(560px, 100vw)"
      onClose={onClose}
      closable={{ 'aria-label': t('card.close') }}
    >
      {source ? <Chosen source={source} ids={ids} /> : null}
    </Drawer>
  );
}

function Chosen({ source, ids }: { source: Source; ids: readonly number[] }) {
  const { t } = useTranslation('device-map');
  const asked = ids.slice(0, MOST_CHOSEN);
  // Ids leave while they are deleted here: what stands below must stay, with the outcome of each.
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['/api/v1/devices', 'selection', source.key, asked.join()],
    queryFn: () => rowsOf(source, asked),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const rows = (data ?? []).filter(({ id }) => !left.has(id));
  const filters = { ids: asked.filter((id) => !left.has(id)).join(',') };
  const batch = useSeveral(
    source,
    { filters, sort: undefined },
    { edit: usePermission(source.codes.edit), del: usePermission(source.codes.del) },
  );
  const leave = (gone: readonly Row[], on: boolean): void =>
    setLeft(
      (before) =>
        new Set(
          on
            ? [...before].filter((id) => !gone.some((row) => row.id === id))
            : [...before, ...gone.map(({ id }) => id)],
        ),
    );
  const chosen = {
    rows,
    has: (id: number) => !left.has(id),
    change: leave,
    replace: () => setLeft(new Set()),
    clear: () => setLeft(new Set(ids)),
  };
  if (error && !data) return <ErrorState error={error} onRetry={refetch} />;
  if (isPending) return <Skeleton rows={6} />;
  return (
    <div className={styles.selected}>
      <BatchBar batch={batch} chosen={chosen} total={rows.length} />
      <div className={styles.selectedTools}>
        <ExportButton family={source.key} filters={filters} empty={rows.length === 0} />
      </div>
      {rows.length === 0 ? <Empty title={t('select.none')} /> : null}
      <ul>
        {rows.slice(0, SHOWN).map((row) => (
          <li key={row.id}>
            <DeviceLink family={source.key} id={row.id}>
              <b className="code">{String(row[source.codeField])}</b>
            </DeviceLink>
            <small>{[row[source.nameField], row.labels['roadId']].filter(Boolean).join(' · ')}</small>
          </li>
        ))}
      </ul>
      {rows.length > SHOWN ? <p className={styles.note}>{t('select.more', { n: rows.length - SHOWN })}</p> : null}
      {ids.length > MOST_CHOSEN ? <p className={styles.note}>{t('select.most', { n: MOST_CHOSEN })}</p> : null}
    </div>
  );
}
