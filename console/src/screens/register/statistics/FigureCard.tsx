import { Button } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { pageOfFamily } from '../../../../../contract/family-pages.ts';
import { useOpen, usePageExists } from '../../../frame/index.ts';
import { BarChart, type Bar } from '../../../parts/charts/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { Card, formatNumber, StateMark } from '../../../parts/index.ts';
import type { Filters } from './filters.tsx';
import { groupsOf, markOf, type FigureName, type Group, type Told } from './groups.ts';
import styles from './statistics.module.css';

/** So many bars are told apart at a glance, and so many rows stand in the table until somebody asks for all. */
const mostBars = 10;

interface Props {
  name: FigureName;
  told: Told;
  filters: Filters;
  onNarrow: (change: Filters) => void;
}

/** One figure: bars to see at a glance, and the table they were drawn from. */
export function FigureCard({ name, told, filters, onNarrow }: Props) {
  const { t, i18n } = useTranslation('statistics');
  const names = useNames();
  const [all, setAll] = useState(false);
  const groups = useMemo(() => groupsOf(name, told, names, t), [name, told, names, t]);
  const bars = useMemo((): Bar[] => {
    const few = name === 'ages' ? groups : groups.filter(({ rest }) => rest !== true).slice(0, mostBars);
    return few.map(({ key, name: word, count }) => ({
      name: word,
      value: count,
      ...(key === null ? { muted: true } : {}),
    }));
  }, [name, groups]);
  const first = groups.reduce<Group | undefined>(
    (most, one) => (most === undefined || one.count > most.count ? one : most),
    undefined,
  );
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const label = first
    ? t('chart.label', { what: t(name), first: first.name, count: number(first.count), groups: number(groups.length) })
    : t(name);
  return (
    <Card
      title={t(name)}
      {...(groups.length > bars.length
        ? { extra: <span className={styles.note}>{t('chart.first', { n: bars.length })}</span> }
        : {})}
    >
      <div className={styles.figure} data-upright={name === 'ages' || undefined}>
        <div className={styles.chart}>
          <BarChart bars={bars} upright={name === 'ages'} label={label} />
        </div>
        <div className={styles.tableBox}>
          <table className={styles.table} aria-label={t('table.label', { what: t(name) })}>
            <thead>
              <tr>
                <th scope="col">{t(name)}</th>
                <th scope="col">{t('count')}</th>
                <th scope="col">{t('share')}</th>
              </tr>
            </thead>
            <tbody>
              {(all ? groups : groups.slice(0, mostBars)).map((group) => (
                <tr key={`${group.key} ${group.rest === true}`}>
                  <th scope="row">
                    <GroupName figure={name} group={group} filters={filters} onNarrow={onNarrow} />
                  </th>
                  <td>{number(group.count)}</td>
                  <td>{formatNumber((group.count / told.total) * 100, i18n.language, 1)} %</td>
                </tr>
              ))}
            </tbody>
          </table>
          {groups.length > mostBars ? (
            <Button type="text" size="small" aria-expanded={all} onClick={() => setAll(!all)}>
              {t(all ? 'table.first' : 'table.all', { n: number(all ? mostBars : groups.length) })}
            </Button>
          ) : null}
        </div>
      </div>
    </Card>
  );
}

const filterOf = { workAreas: 'workId', roads: 'roadId' } as const;

/** A family opens its list, a project or road narrows the page to it; a state is shown as everywhere. */
function GroupName({
  figure,
  group: { key, name },
  filters,
  onNarrow,
}: {
  figure: FigureName;
  group: Group;
  filters: Filters;
  onNarrow: (change: Filters) => void;
}) {
  const { t } = useTranslation('statistics');
  const open = useOpen();
  const exists = usePageExists();
  if (key === null) return <span className={styles.unknown}>{name}</span>;
  if (figure === 'states') return <StateMark state={markOf(key)} word={name} />;
  if (figure === 'families') {
    const page = pageOfFamily(key);
    if (page === undefined || !exists(page)) return <>{name}</>;
    const { family: _family, ...others } = filters;
    const search = new URLSearchParams(others).toString();
    return (
      <button
        type="button"
        className={styles.link}
        title={t('open.list', { what: name })}
        onClick={() => open(page, search === '' ? {} : { search: `?${search}` })}
      >
        {name}
      </button>
    );
  }
  if (figure !== 'workAreas' && figure !== 'roads') return <>{name}</>;
  const by = filterOf[figure];
  if (filters[by] === key) return <>{name}</>;
  return (
    <button
      type="button"
      className={styles.link}
      title={t('narrow', { what: name })}
      onClick={() => onNarrow({ [by]: key })}
    >
      {name}
    </button>
  );
}
