import { useMemo } from 'react';
import type { Static } from 'typebox';
import { useTranslation } from 'react-i18next';
import { listControllerStatistics, type ControllerStatistics } from '../../../../../contract/register/statistics.ts';
import { useCall } from '../../../api/index.ts';
import { useDeviceAddress, useOpen } from '../../../frame/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import type { ListAddress } from '../../../parts/lists/use-list-address.ts';
import { formatNumber, StateMark } from '../../../parts/index.ts';
import type { ListColumn } from '../../../parts/lists/columns.ts';
import { ListFrame } from '../../../parts/lists/ListFrame.tsx';
import type { Filters } from './filters.tsx';
import { markOf } from './groups.ts';
import styles from './statistics.module.css';

type Controller = Static<typeof ControllerStatistics>;

/** Central and time controllers: what each carries, and how long its link to the broker was up. */
export function Controllers({ address, filters }: { address: ListAddress; filters: Filters }) {
  const { t } = useTranslation('statistics');
  const list = useCall(
    listControllerStatistics,
    { query: { ...filters, page: address.page, size: address.size } },
    { keepPrevious: true, staleTime: 0 },
  );
  const columns = useColumns();
  return (
    <section className={styles.controllers} aria-labelledby="controller-statistics">
      <div className={styles.controllersHead}>
        <h2 id="controller-statistics">{t('controllers')}</h2>
        <p>{t('controllers.note')}</p>
      </div>
      <ListFrame<Controller>
        name="controller-statistics"
        list={list}
        address={address}
        columns={columns}
        texts={{
          count: (n) => t('controllers.count', { n }),
          noMatch: t('controllers.noMatch'),
          empty: t('controllers.empty'),
          emptyText: t('controllers.emptyText'),
        }}
      />
    </section>
  );
}

function useColumns(): ListColumn<Controller>[] {
  const { t, i18n } = useTranslation('statistics');
  const names = useNames();
  const open = useOpen();
  const pageOf = useDeviceAddress();
  return useMemo(() => {
    const number = (n: number | null, decimals = 0): string =>
      n === null ? '—' : formatNumber(n, i18n.language, decimals);
    const code = ({ family, id, code: text }: Controller) => {
      const page = pageOf(family, id);
      return page === undefined ? (
        <span className="code">{text}</span>
      ) : (
        <button type="button" className={`${styles.link} code`} onClick={() => open(page)}>
          {text}
        </button>
      );
    };
    const online = ({ onlineSeconds, knownSeconds }: Controller) => {
      if (onlineSeconds === null || knownSeconds === null) return '—';
      // A link of minutes is told in minutes' precision.
      const decimals = knownSeconds < 36_000 ? 2 : 1;
      const share = knownSeconds === 0 ? '' : ` · ${number((onlineSeconds / knownSeconds) * 100, 2)} %`;
      return (
        t('online.of', {
          online: number(onlineSeconds / 3600, decimals),
          known: number(knownSeconds / 3600, decimals),
        }) + share
      );
    };
    return [
      { key: 'code', name: t('column.code'), always: true, cell: code },
      { key: 'name', name: t('column.name'), cell: (row) => row.name ?? '—' },
      { key: 'family', name: t('families'), cell: (row) => names.family(row.family) },
      { key: 'workArea', name: t('workAreas'), cell: (row) => row.workAreaName },
      { key: 'road', name: t('roads'), cell: (row) => row.roadName ?? '—' },
      {
        key: 'state',
        name: t('states'),
        cell: (row) =>
          row.state === null ? (
            '—'
          ) : (
            <StateMark state={markOf(row.state)} word={row.state === 'online' ? t('online') : names.state(row.state)} />
          ),
      },
      { key: 'lamps', name: t('column.lamps'), align: 'right', cell: (row) => number(row.lamps) },
      {
        key: 'loops',
        name: t('column.loops'),
        hint: t('column.loopsHint'),
        align: 'right',
        cell: (row) =>
          row.loops === null ? '—' : t('loops.of', { closed: number(row.closedLoops), loops: number(row.loops) }),
      },
      { key: 'online', name: t('column.online'), hint: t('column.onlineHint'), align: 'right', cell: online },
    ];
  }, [t, i18n.language, names, open, pageOf]);
}
