import { Button, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listCoordinateSystems, listImportPins } from '../../../../../contract/register/imports.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { useCall } from '../../../api/index.ts';
import { Alert, ErrorState, formatNumber, Icon, Skeleton } from '../../../parts/index.ts';
import { PlaceMap } from '../../../parts/map/place/PlaceMap.tsx';
import { metresBetween } from '../../../parts/map/distance.ts';
import { swapped, type Import, type Plan } from './plan.ts';
import { PinMap, type Pin } from './PinMap.tsx';
import styles from './imports.module.css';

const named = [
  'WGS84',
  'GCJ02',
  'BD09',
  'EPSG:3826',
  'EPSG:3825',
  'EPSG:4490',
  'EPSG:4547',
  'EPSG:4548',
  'EPSG:4549',
  'EPSG:2154',
  'EPSG:6677',
  'EPSG:5186',
] as const;
type NamedSystem = (typeof named)[number];
const isNamed = (system: string): system is NamedSystem => (named as readonly string[]).includes(system);

/** These count to the west and the south. */
const westSouth: readonly string[] = ['EPSG:5513', 'EPSG:2065'];

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
          <div>
            <dt>{t(westSouth.includes(plan.system) ? 'position.west' : 'position.x')}</dt>
            <dd>{columnName(one, x) ?? '—'}</dd>
          </div>
          <div>
            <dt>{t(westSouth.includes(plan.system) ? 'position.south' : 'position.y')}</dt>
            <dd>{columnName(one, y) ?? '—'}</dd>
          </div>
        </dl>
        <Button icon={<Icon name="retry" size={14} />} onClick={() => onChange(swapped(plan))}>
          {t('position.swap')}
        </Button>
      </div>
      {x === undefined || y === undefined ? (
        <p className={styles.hint}>{t('position.both')}</p>
      ) : (
        <Look one={one} plan={plan} x={x} y={y} onChange={onChange} />
      )}
    </div>
  );
}

const columnName = (one: Import, column: number | undefined): string | undefined =>
  column === undefined ? undefined : one.columns[column]?.title;

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
        id="import-system"
        value={value === '' ? null : value}
        placeholder={t('position.choose')}
        options={all
          .filter((system) => system !== '')
          .map((system) => ({
            value: system,
            label: label(system),
            search: `${system} ${label(system)} ${system.replace('EPSG:', '')}`,
          }))}
        popupMatchSelectWidth={false}
        showSearch={{ optionFilterProp: 'search', onSearch: setSearch, searchValue: search }}
        notFoundContent={t('position.typeCode')}
        onChange={(system: string) => {
          setSearch('');
          onChange(system);
        }}
      />
      <p className={styles.hint}>{t('position.systemHint')}</p>
    </div>
  );
}

/** Three rows of the file on the map, before anything is written. */
function Look({
  one,
  plan,
  x,
  y,
  onChange,
}: {
  one: Import;
  plan: Plan;
  x: number;
  y: number;
  onChange: (plan: Plan) => void;
}) {
  const { t, i18n } = useTranslation('imports');
  const { system, decimalCommas = [] } = plan;
  const query = {
    x,
    y,
    ...(system === '' ? {} : { system }),
    ...(decimalCommas.includes(x) && decimalCommas.includes(y) ? { commas: true } : {}),
  };
  const { data, error, isPending, refetch } = useCall(
    listImportPins,
    { params: { id: one.id }, query },
    { keepPrevious: true },
  );
  if (error)
    return (
      <div className={styles.look}>
        <ErrorState title={t('position.unknown', { system })} error={error} onRetry={refetch} />
      </div>
    );
  if (isPending)
    return (
      <div className={styles.look}>
        <Skeleton rows={5} height={260} />
      </div>
    );
  const pins = data.pins;
  const fits = <Fits fits={data.fits} plan={plan} onChange={onChange} />;
  if (pins.length === 0)
    return (
      <div className={styles.look}>
        {system === '' && data.fits.length > 0 ? null : <p className={styles.hint}>{t('position.none')}</p>}
        {fits}
      </div>
    );
  const placed = pins.flatMap((pin, index): Pin[] =>
    pin.longitude === null || pin.latitude === null
      ? []
      : [{ row: pin.row, label: pin.label, n: index + 1, longitude: pin.longitude, latitude: pin.latitude }],
  );
  const [doubt, ...doubts] = data.questions.map(({ kind, km }) =>
    kind === 'outsideSystem'
      ? t('position.unused', { system })
      : t('place.farFromRegister', { km: formatNumber(km ?? 0, i18n.language, 0) }),
  );
  const [first, ...others] = placed;
  const far = first ? others.map((pin) => `${pin.label}: ${distance(metresBetween(first, pin), i18n.language)}`) : [];
  return (
    <div className={styles.look}>
      {data.name === null || isNamed(system) ? null : (
        <p className={styles.hint}>
          {system} {data.name}
        </p>
      )}
      {doubt === undefined ? null : (
        <Alert title={doubt}>
          {doubts.map((text) => (
            <p key={text} className={styles.what}>
              {text}
            </p>
          ))}
          {t('position.look')}
        </Alert>
      )}
      {placed.length > 0 ? (
        <PlaceMap
          className={styles.placeMap}
          label={t('position.map')}
          pins={placed.map(({ row, ...pin }) => ({ ...pin, id: row }))}
          fallback={<PinMap pins={placed} />}
        />
      ) : null}
      <ul className={styles.pins} aria-label={t('position.pins')}>
        {pins.map((pin, index) => (
          <li key={pin.row}>
            <span className={styles.pinNumber} aria-hidden>
              {index + 1}
            </span>
            <span>
              <b className="code">{pin.label}</b> <small>{t('row', { n: pin.row })}</small>
              <br />
              <small className="num">
                {pin.x}, {pin.y} →{' '}
                {pin.longitude === null || pin.latitude === null ? (
                  <em>{t('position.outside')}</em>
                ) : (
                  `${pin.latitude.toFixed(6)}°, ${pin.longitude.toFixed(6)}°`
                )}
              </small>
            </span>
          </li>
        ))}
      </ul>
      {first && far.length > 0 ? (
        <p className={styles.hint}>{t('position.distance', { name: first.label, list: far.join(' · ') })}</p>
      ) : null}
      {data.accuracy === null ? null : (
        <p className={styles.hint}>
          {t('position.accuracy', { system, m: formatNumber(data.accuracy, i18n.language, 0) })}
        </p>
      )}
      {doubt === undefined ? <p className={styles.hint}>{t('position.look')}</p> : null}
      {system === 'WGS84' || doubt !== undefined || data.fits.every((fit) => fit.system !== system || fit.swapped)
        ? fits
        : null}
    </div>
  );
}

type Fit = ReplyOf<typeof listImportPins>['fits'][number];

/** Systems in which the numbers lie where the system is used; a person chooses by the place. */
function Fits({ fits, plan, onChange }: { fits: readonly Fit[]; plan: Plan; onChange: (plan: Plan) => void }) {
  const { t, i18n } = useTranslation('imports');
  const other = fits.filter(({ system, swapped: isSwapped }) => system !== plan.system || isSwapped);
  if (other.length === 0) return null;
  return (
    <div className={styles.fits}>
      <h3>{t('position.fits')}</h3>
      <ul>
        {other.map(({ system, name, swapped: isSwapped, longitude, latitude, km }) => (
          <li key={`${system} ${String(isSwapped)}`}>
            <button
              type="button"
              className={styles.fit}
              onClick={() => onChange({ ...(isSwapped ? swapped(plan) : plan), system })}
            >
              <b>{isNamed(system) ? t(`system.${system}`) : [system, name].filter(Boolean).join(' ')}</b>
              <small className="num">
                {[
                  `${latitude.toFixed(3)}°, ${longitude.toFixed(3)}°`,
                  isSwapped ? t('position.swapped') : '',
                  km === null ? '' : t('position.km', { km: formatNumber(km, i18n.language, 0) }),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </small>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

const distance = (metres: number, language: string): string =>
  metres < 1000
    ? `${formatNumber(metres, language, 0)} m`
    : `${formatNumber(metres / 1000, language, metres < 100_000 ? 1 : 0)} km`;
