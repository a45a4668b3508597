import { Button } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { pageOfFamily } from '../../../../../contract/family-pages.ts';
import { lampStates } from '../../../../../contract/light/lamps.ts';
import { useOpen, usePageExists } from '../../../frame/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { Card, formatNumber, Icon, StateMark } from '../../../parts/index.ts';
import type { Filters } from './filters.tsx';
import { groupsOf, markOf, sorted, type FigureName, type Group, type Order, type Told } from './groups.ts';
import { StateBar } from './StateBar.tsx';
import styles from './statistics.module.css';

/** Rows of a table before somebody asks for all. */
const mostRows = 10;

interface Props {
  name: FigureName;
  told: Told;
  filters: Filters;
  onNarrow: (change: Filters) => void;
}

/** One figure: a table that can be put in order, its numbers drawn as bars; states are parts of one bar above it. */
export function FigureCard({ name, told, filters, onNarrow }: Props) {
  const { t, i18n } = useTranslation('statistics');
  const names = useNames();
  const [all, setAll] = useState(false);
  const [order, setOrder] = useState<Order | null>(null);
  const groups = useMemo(
    () => sorted(groupsOf(name, told, names, t), order, i18n.language),
    [name, told, names, t, order, i18n.language],
  );
  const most = Math.max(1, ...groups.map(({ count }) => count));
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const head = (by: Order['by'], word: string) => (
    <th scope="col" aria-sort={order?.by === by ? (order.down ? 'descending' : 'ascending') : 'none'}>
      <button
        type="button"
        className={styles.sort}
        onClick={() => setOrder(order?.by === by ? { by, down: !order.down } : { by, down: by === 'count' })}
      >
        {word}
        <Icon name={order?.by === by && !order.down ? 'up' : 'down'} size={12} />
      </button>
    </th>
  );
  return (
    <Card title={t(name)}>
      <div className={styles.figure}>
        {name === 'states' ? <StateBar groups={groups} total={told.total} /> : null}
        <table className={styles.table} aria-label={t('table.label', { what: t(name) })}>
          <thead>
            <tr>
              {head('name', t(name))}
              <td aria-hidden className={styles.barCell} />
              {head('count', t('count'))}
              <th scope="col">{t('share')}</th>
            </tr>
          </thead>
          <tbody>
            {(all ? groups : groups.slice(0, mostRows)).map((group) => (
              <tr key={`${group.key} ${group.rest === true}`}>
                <th scope="row">
                  <GroupName figure={name} group={group} filters={filters} onNarrow={onNarrow} />
                </th>
                <td aria-hidden className={styles.barCell}>
                  {name === 'states' ? null : (
                    <i
                      data-muted={group.key === null || undefined}
                      style={{ width: `${(group.count / most) * 100}%` }}
                    />
                  )}
                </td>
                <td>{number(group.count)}</td>
                <td>{formatNumber((group.count / told.total) * 100, i18n.language, 1)} %</td>
              </tr>
            ))}
          </tbody>
        </table>
        {groups.length > mostRows ? (
          <Button type="text" size="small" aria-expanded={all} onClick={() => setAll(!all)}>
            {t(all ? 'table.first' : 'table.all', { n: number(all ? mostRows : groups.length) })}
          </Button>
        ) : null}
      </div>
    </Card>
  );
}

const filterOf = { workAreas: 'workId', roads: 'roadId' } as const;

/** A family and a state of lamps open their list, a project or road narrows the page to it. */
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
  if (figure === 'states') {
    const mark = <StateMark state={markOf(key)} word={name} />;
    // The monitor lists lamps of all families, of several roads; what it cannot filter by leads nowhere.
    const narrower = filters.family !== undefined || filters.workId !== undefined || filters.status !== undefined;
    if (!lampStates.some((one) => one === key) || narrower || !exists('lamp/monitor')) return mark;
    const roads = filters.roadId === undefined ? '' : `&roads=${filters.roadId}`;
    return (
      <button
        type="button"
        className={styles.link}
        title={t('open.list', { what: name })}
        onClick={() => open('lamp/monitor', { search: `?view=list&states=${key}${roads}` })}
      >
        {mark}
      </button>
    );
  }
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
