import { useState, type ReactNode } from 'react';
import { Button, Input, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { lampStates } from '../../../../../contract/light/lamps.ts';
import { Icon } from '../../../parts/index.ts';
import { FaultField, LinkedConditions, PlaceFields } from './FilterPanel.tsx';
import { countFilters, noFilters, type Filters } from './filters.ts';
import styles from './monitor.module.css';

/** 查询条件 above the list: a collapsible card; Enter searches, selects search at once. */
export function FilterCard({ filters, onChange }: { filters: Filters; onChange: (filters: Filters) => void }) {
  const { t } = useTranslation('lamp');
  const { t: parts } = useTranslation('parts');
  const [open, setOpen] = useState(() => window.innerWidth >= 600);
  const [text, setText] = useState(filters.q);
  const used = countFilters(filters);
  const search = () => onChange({ ...filters, q: text });
  const field = (label: string, input: ReactNode) => (
    <div className={styles.cardField}>
      <span>{label}</span>
      {input}
    </div>
  );
  return (
    <section className={styles.card} aria-label={t('filter.title')}>
      <header>
        <h2>{t('filter.title')}</h2>
        {used > 0 ? <span className={styles.used}>{t('filter.used', { count: used })}</span> : null}
        <button type="button" className={styles.foldText} aria-expanded={open} onClick={() => setOpen(!open)}>
          {t(open ? 'filter.fold' : 'filter.unfold')}
          <Icon name={open ? 'up' : 'down'} size={12} />
        </button>
      </header>
      {open ? (
        <form
          className={styles.grid}
          onSubmit={(event) => {
            event.preventDefault();
            search();
          }}
        >
          {field(
            t('filter.lamp'),
            <Input
              value={text}
              maxLength={100}
              allowClear
              placeholder={t('filter.text')}
              aria-label={t('filter.lamp')}
              onChange={(event) => setText(event.target.value)}
            />,
          )}
          {field(
            t('filter.state'),
            <Select
              mode="multiple"
              allowClear
              maxTagCount="responsive"
              value={[...filters.states]}
              placeholder={t('filter.allStates')}
              aria-label={t('filter.state')}
              options={lampStates.map((state) => ({ value: state, label: parts(`state.${state}`) }))}
              onChange={(states) => onChange({ ...filters, states })}
            />,
          )}
          {field(t('filter.fault'), <FaultField filters={filters} onChange={onChange} />)}
          {field(
            t('filter.place'),
            <span className={styles.placeFields}>
              <PlaceFields filters={filters} onChange={onChange} />
            </span>,
          )}
          <div className={styles.cardButtons}>
            <Button
              onClick={() => {
                setText('');
                onChange(noFilters);
              }}
            >
              {t('filter.reset')}
            </Button>
            <Button type="primary" htmlType="submit" icon={<Icon name="search" size={14} />}>
              {t('filter.search')}
            </Button>
          </div>
        </form>
      ) : null}
      <LinkedConditions filters={filters} onChange={onChange} />
    </section>
  );
}
