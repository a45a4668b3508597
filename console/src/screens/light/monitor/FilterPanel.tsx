import { useState } from 'react';
import { Button, Checkbox, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { getLampFilters, lampStates } from '../../../../../contract/light/lamps.ts';
import { useCall } from '../../../api/index.ts';
import { formatNumber, Icon, StateShape, useTime } from '../../../parts/index.ts';
import { SearchBox } from '../../../parts/lists/SearchBox.tsx';
import { useNames } from '../../../locales/catalogue-names.ts';
import { countFilters, noFilters, type Filters, type LampStateName } from './filters.ts';
import styles from './monitor.module.css';

export interface FilterPanelProps {
  filters: Filters;
  onChange: (filters: Filters) => void;
  /** Lamps per state among those that match everything but the states; null while unknown. */
  counts: Record<string, number> | null;
  total: number | null;
  /** How many more match and have no place on a map; told with the way to the list. */
  unplaced: number;
  onList: () => void;
  updatedAt: number | null;
  /** Below this width the conditions wait behind a button. */
  narrow: boolean;
}

/** The conditions floating on the map: text, road, group, controller, and the states with their counts. */
export function FilterPanel(props: FilterPanelProps) {
  const { filters, onChange, narrow } = props;
  const { t } = useTranslation('lamp');
  const [open, setOpen] = useState(!narrow);
  const used = countFilters(filters);
  if (!open) {
    return (
      <div className={`${styles.panel} ${styles.folded}`}>
        <SearchField filters={filters} onChange={onChange} />
        <Button
          size="small"
          icon={<Icon name="sliders" size={14} />}
          title={t('filter.title')}
          onClick={() => setOpen(true)}
          aria-expanded={false}
        >
          <span className={styles.toolText}>{t('filter.title')}</span>
          {used > 0 ? ` ${used}` : ''}
        </Button>
      </div>
    );
  }
  return (
    <section className={styles.panel} aria-label={t('filter.title')}>
      <header>
        <h2>{t('filter.title')}</h2>
        {used > 0 ? (
          <button type="button" className={styles.link} onClick={() => onChange(noFilters)}>
            {t('filter.reset')}
          </button>
        ) : null}
        <button
          type="button"
          className={styles.fold}
          aria-label={t('filter.fold')}
          title={t('filter.fold')}
          aria-expanded
          onClick={() => setOpen(false)}
        >
          <Icon name="up" size={14} />
        </button>
      </header>
      <div className={styles.fields}>
        <SearchField filters={filters} onChange={onChange} />
        <PlaceFields filters={filters} onChange={onChange} />
      </div>
      <StateChecks {...props} />
    </section>
  );
}

interface FieldProps {
  filters: Filters;
  onChange: (filters: Filters) => void;
}

function SearchField({ filters, onChange }: FieldProps) {
  const { t } = useTranslation('lamp');
  return (
    <SearchBox
      value={filters.q}
      label={t('filter.text')}
      maxLength={100}
      onSearch={(q) => onChange({ ...filters, q })}
    />
  );
}

/** Road, group, controller. */
function PlaceFields({ filters, onChange }: FieldProps) {
  const { t, i18n } = useTranslation('lamp');
  const options = useCall(getLampFilters, undefined, { staleTime: 60_000 });
  const label = (name: string, lamps: number) => `${name} (${formatNumber(lamps, i18n.language, 0)})`;
  const shared = {
    allowClear: true,
    showSearch: { optionFilterProp: 'label' },
    loading: options.isPending,
    popupMatchSelectWidth: false,
  } as const;
  return (
    <>
      <Select
        {...shared}
        mode="multiple"
        maxTagCount="responsive"
        value={[...filters.roadIds]}
        placeholder={t('filter.allRoads')}
        aria-label={t('filter.road')}
        options={(options.data?.roads ?? []).map((road) => ({ value: road.id, label: label(road.name, road.lamps) }))}
        onChange={(roadIds) => onChange({ ...filters, roadIds })}
      />
      <Select
        {...shared}
        value={filters.groupId}
        placeholder={t('filter.allGroups')}
        aria-label={t('filter.group')}
        options={(options.data?.groups ?? []).map((group) => ({
          value: group.id,
          label: label(group.name, group.lamps),
        }))}
        onChange={(groupId: number | undefined) => onChange({ ...filters, groupId: groupId ?? null })}
      />
      <Select
        {...shared}
        value={filters.controllerId}
        placeholder={t('filter.allControllers')}
        aria-label={t('filter.controller')}
        options={(options.data?.controllers ?? []).map((one) => ({
          value: one.id,
          label: label(one.name ? `${one.code} ${one.name}` : one.code, one.lamps),
        }))}
        onChange={(controllerId: number | undefined) => onChange({ ...filters, controllerId: controllerId ?? null })}
      />
    </>
  );
}

/**
 * What other pages link here with (online, lit, plan, and on the map `faults`) has no field of its own: each can be seen
 * and taken away.
 */
export function LinkedConditions({ filters, onChange, faults = true }: FieldProps & { faults?: boolean }) {
  const { t } = useTranslation('lamp');
  const names = useNames();
  const chips = [
    ...(faults ? filters.faults : []).map((fault) => ({
      key: fault,
      text: `${fault} ${names.fault(fault)}`,
      without: { ...filters, faults: filters.faults.filter((one) => one !== fault) },
    })),
    ...(filters.online === null
      ? []
      : [
          {
            key: 'online',
            text: t(filters.online ? 'filter.online' : 'filter.notOnline'),
            without: { ...filters, online: null },
          },
        ]),
    ...(filters.lit === null
      ? []
      : [
          {
            key: 'lit',
            text: t(filters.lit === 'lit' ? 'filter.lit' : 'filter.notLit'),
            without: { ...filters, lit: null },
          },
        ]),
    ...(filters.plan === null ? [] : [{ key: 'plan', text: t('filter.astray'), without: { ...filters, plan: null } }]),
  ];
  if (chips.length === 0) return null;
  return (
    <div className={styles.chips}>
      {chips.map(({ key, text, without }) => (
        <span key={key} className={styles.chip}>
          {text}
          <button type="button" aria-label={t('filter.without', { name: text })} onClick={() => onChange(without)}>
            <Icon name="close" size={12} />
          </button>
        </span>
      ))}
    </div>
  );
}

function StateChecks({ filters, onChange, counts, total, unplaced, onList, updatedAt }: FilterPanelProps) {
  const { t, i18n } = useTranslation('lamp');
  const { t: parts } = useTranslation('parts');
  const time = useTime();
  const shown = new Set<LampStateName>(filters.states.length === 0 ? lampStates : filters.states);
  const toggle = (state: LampStateName, on: boolean) => {
    const next = lampStates.filter((one) => (one === state ? on : shown.has(one)));
    onChange({ ...filters, states: next.length === lampStates.length || next.length === 0 ? [] : next });
  };
  return (
    <>
      <LinkedConditions filters={filters} onChange={onChange} />
      <ul className={styles.states}>
        {lampStates.map((state) => (
          <li key={state}>
            <Checkbox checked={shown.has(state)} onChange={(event) => toggle(state, event.target.checked)}>
              <span className={styles.stateName}>
                <StateShape state={state} />
                {parts(`state.${state}`)}
              </span>
            </Checkbox>
            <button
              type="button"
              className={styles.only}
              title={t('filter.only', { state: parts(`state.${state}`) })}
              onClick={() => onChange({ ...filters, states: [state] })}
            >
              <span className={styles.spoken}>{t('filter.only', { state: parts(`state.${state}`) })}</span>
              {counts === null ? '—' : formatNumber(counts[state] ?? 0, i18n.language, 0)}
            </button>
          </li>
        ))}
      </ul>
      <footer>
        <span>{total === null ? '—' : t('filter.total', { count: formatNumber(total, i18n.language, 0) })}</span>
        <span>{updatedAt === null ? '' : t('filter.updated', { time: time(updatedAt, 'time') })}</span>
        {unplaced > 0 ? (
          <button type="button" className={styles.link} onClick={onList}>
            {t('filter.unplaced', { count: formatNumber(unplaced, i18n.language, 0) })}
          </button>
        ) : null}
      </footer>
    </>
  );
}
