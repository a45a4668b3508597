import { Button, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listCoordinateSystems, listImportPins } from '../../../../../contract/routes/imports.ts';
import { useCall } from '../../../api/index.ts';
import { ErrorState, formatNumber, Icon, Skeleton } from '../../../parts/index.ts';
import { PlaceMap } from '../../../parts/map/place/PlaceMap.tsx';
import { metresBetween, swapped, type Import, type Plan } from './plan.ts';
import { PinMap, type Pin } from './PinMap.tsx';
import styles from './imports.module.css';

const named = ['WGS84', 'GCJ02', 'BD09', 'EPSG:3826', 'EPSG:3825', 'EPSG:4490', 'EPSG:4547', 'EPSG:4548', 'EPSG:4549', 'EPSG:2154', 'EPSG:6677', 'EPSG:5186'] as const;
type NamedSystem = (typeof named)[number];
const isNamed = (system: string): system is NamedSystem => (named as readonly string[]).includes(system);

/** `3826`, `epsg 3826` → `EPSG:3826`. */
const epsgIn = (text: string): string | undefined => {
  const code = /^(?:epsg)?[\s:]*(\d{4,6})$/i.exec(text.trim())?.[1];
  return code === undefined ? undefined : `EPSG:${code}`;
};

/** In which coordinate system the file states positions, and where three of its rows would stand. */
export function Position({ one, plan, onChange }: { one: Import; plan: Plan; onChange: (plan: Plan) => void }) {
  const { t } = useTranslation('imports');
  const [x, y] = [plan.fields['longitude']?.column, plan.fields['latitude']?.column];
  return (
    <div className={styles.position}>
      <div className={styles.positionSide}>
        <SystemSelect value={plan.system} onChange={(system) => onChange({ ...plan, system })} />
        <dl className={styles.axes}>
          <div><dt>{t('position.x')}</dt><dd>{columnName(one, x) ?? '—'}</dd></div>
          <div><dt>{t('position.y')}</dt><dd>{columnName(one, y) ?? '—'}</dd></div>
        </dl>
        <Button icon={<Icon name="retry" size={14} />} onClick={() => onChange(swapped(plan))}>{t('position.swap')}</Button>
      </div>
      {x === undefined || y === undefined ? <p className={styles.hint}>{t('position.both')}</p> : <Look one={one} system={plan.system} x={x} y={y} />}
    </div>
  );
}

const columnName = (one: Import, column: number | undefined): string | undefined => (column === undefined ? undefined : one.columns[column]?.title);

function SystemSelect({ value, onChange }: { value: string; onChange: (system: string) => void }) {
  const { t } = useTranslation('imports');
  const [search, setSearch] = useState('');
  const { data } = useCall(listCoordinateSystems, {}, { staleTime: Infinity });
  const label = (system: string): string => (isNamed(system) ? t(`system.${system}`) : system);
  const typed = epsgIn(search);
  const all = [...new Set([...(data?.data ?? named), value, ...(typed === undefined ? [] : [typed])])];
  return (
    <div className={styles.field}>
      <label htmlFor="import-system">{t('position.system')}</label>
      <Select
        id="import-system" value={value} options={all.map((system) => ({ value: system, label: label(system), search: `${system} ${label(system)} ${system.replace('EPSG:', '')}` }))} popupMatchSelectWidth={false}
        showSearch={{ optionFilterProp: 'search', onSearch: setSearch, searchValue: search }} notFoundContent={t('position.typeCode')} onChange={(system: string) => { setSearch(''); onChange(system); }}
      />
      <p className={styles.hint}>{t('position.systemHint')}</p>
    </div>
  );
}

/** Three rows of the file on the map, before anything is written. */
function Look({ one, system, x, y }: { one: Import; system: string; x: number; y: number }) {
  const { t, i18n } = useTranslation('imports');
  const { data, error, isPending, refetch } = useCall(listImportPins, { params: { id: one.id }, query: { system, x, y } }, { keepPrevious: true });
  if (error) return <div className={styles.look}><ErrorState title={t('position.unknown', { system })} error={error} onRetry={refetch} /></div>;
  if (isPending) return <div className={styles.look}><Skeleton rows={5} height={260} /></div>;
  const pins = data.pins;
  if (pins.length === 0) return <div className={styles.look}><p className={styles.hint}>{t('position.none')}</p></div>;
  const placed = pins.flatMap((pin, index): Pin[] => (pin.longitude === null || pin.latitude === null ? [] : [{ row: pin.row, label: pin.label, n: index + 1, longitude: pin.longitude, latitude: pin.latitude }]));
  const [first, ...others] = placed;
  const far = first ? others.map((pin) => `${pin.label}: ${distance(metresBetween(first, pin), i18n.language)}`) : [];
  return (
    <div className={styles.look}>
      {placed.length > 0 ? <PlaceMap className={styles.placeMap} label={t('position.map')} pins={placed.map(({ row, ...pin }) => ({ ...pin, id: row }))} fallback={<PinMap pins={placed} />} /> : null}
      <ul className={styles.pins} aria-label={t('position.pins')}>
        {pins.map((pin, index) => (
          <li key={pin.row}>
            <span className={styles.pinNumber} aria-hidden>{index + 1}</span>
            <span><b className="code">{pin.label}</b> <small>{t('row', { n: pin.row })}</small><br />
              <small className="num">{pin.x}, {pin.y} → {pin.longitude === null || pin.latitude === null ? <em>{t('position.outside')}</em> : `${pin.latitude.toFixed(6)}°, ${pin.longitude.toFixed(6)}°`}</small></span>
          </li>
        ))}
      </ul>
      {first && far.length > 0 ? <p className={styles.hint}>{t('position.distance', { name: first.label, list: far.join(' · ') })}</p> : null}
      <p className={styles.hint}>{t('position.look')}</p>
    </div>
  );
}

const distance = (metres: number, language: string): string => (metres < 1000 ? `${formatNumber(metres, language, 0)} m` : `${formatNumber(metres / 1000, language, metres < 100_000 ? 1 : 0)} km`);
