import { useMemo, useSyncExternalStore } from 'react';
import type { FeatureCollection } from 'geojson';
import { useTranslation } from 'react-i18next';
import { lampStates } from '../../../../../contract/light/lamps.ts';
import { Empty, ErrorState, formatNumber, Icon, Skeleton, StateShape, useFirstStep } from '../../../parts/index.ts';
import { MapCanvas } from '../../../parts/map/MapCanvas.tsx';
import { useNarrow } from '../../../parts/page/use-narrow.ts';
import { useFieldVersion } from '../../../parts/map/use-field.ts';
import { LookOf } from '../../../theme/LookOf.tsx';
import { FilterPanel } from './FilterPanel.tsx';
import { noFilters } from './filters.ts';
import { LiveNote } from './LiveNote.tsx';
import styles from './monitor.module.css';
import type { MonitorParts } from './shared.ts';
import { whyEmpty } from './view-state.ts';
import { ViewSwitch } from './ViewSwitch.tsx';

const noGround: FeatureCollection = { type: 'FeatureCollection', features: [] };
const drawerWidth = 400;
const panelWidth = 264;

/** The map with what floats on it. */
export default function MapPane({
  view,
  put,
  setFilters,
  lamps,
  selection,
  canControl,
  hasMap,
  openLamp,
  onScope,
}: MonitorParts) {
  const { t, i18n } = useTranslation('lamp');
  const first = useFirstStep();
  const { t: parts } = useTranslation('parts');
  const { field, ids, all, ground } = lamps;
  const version = useFieldVersion(field);
  const width = useWindowWidth();
  const narrow = width < 900;
  const phone = useNarrow();
  const counts = useMemo(() => (field && version >= 0 ? field.counts(ids) : null), [field, ids, version]);
  const shown =
    counts === null
      ? null
      : lampStates.reduce(
          (sum, state) =>
            sum + (view.filters.states.length === 0 || view.filters.states.includes(state) ? counts[state] : 0),
          0,
        );
  // By states it is not known, for they change with every reading.
  const unplaced = view.filters.states.length > 0 ? null : lamps.unplaced;
  const unplacedOfAll = all.data?.unplaced ?? 0;
  const onList = () => put({ view: 'list' });
  // A change of place or text brings what matches into view; a change of states does not move the map.
  const { q, roadIds, groupId, controllerId } = view.filters;
  const place = JSON.stringify([q, roadIds, groupId, controllerId]);
  const fitKey = ids === null ? 'all' : `${place}:${ids.size}`;
  const problem = all.error && !all.data ? <ErrorState error={all.error} onRetry={all.refetch} /> : null;
  if (problem || !field || ground.isPending)
    return <div className={styles.mapWait}>{problem ?? <Skeleton rows={6} />}</div>;
  const empty = whyEmpty({ shown, placed: field.size, unplaced: unplacedOfAll, matchingUnplaced: unplaced });
  const wayOut =
    empty === 'noPlaces'
      ? { action: { text: t('empty.toList'), onClick: onList } }
      : empty === 'noMatch'
        ? { action: { text: t('filter.reset'), onClick: () => setFilters(noFilters) } }
        : first;
  const updatedAt = all.data ? Math.max(new Date(all.data.at).getTime(), lastChange(field, version)) : null;
  return (
    <div className={styles.mapPane} data-theme={view.light === 'day' ? 'light' : 'dark'}>
      <MapCanvas
        ground={(ground.data as FeatureCollection | undefined) ?? noGround}
        field={field}
        night={view.light === 'night'}
        focusId={view.lampId}
        padding={{ left: narrow ? 0 : panelWidth + 16, right: view.lampId === null || phone ? 0 : drawerWidth }}
        fitKey={fitKey}
        fitIds={ids}
        canSelect={canControl}
        onPick={openLamp}
        onBox={(found) => selection.change(found, true)}
      >
        <div className={styles.floating}>
          <LookOf theme={view.light === 'day' ? 'light' : 'dark'}>
            <FilterPanel
              filters={view.filters}
              onChange={setFilters}
              counts={counts}
              total={shown}
              unplaced={unplaced ?? 0}
              onList={onList}
              updatedAt={updatedAt}
              narrow={narrow}
            />
          </LookOf>
          <div className={styles.tools}>
            <ViewSwitch view={view} hasMap={hasMap} put={put} />
            {canControl ? (
              <button type="button" className={styles.tool} title={t('scope.open')} onClick={onScope}>
                <Icon name="bolt" size={14} />
                <span>{t('scope.open')}</span>
              </button>
            ) : null}
            <LiveNote />
          </div>
        </div>
        {view.light === 'day' ? (
          <details className={styles.legend} open={!phone} key={String(phone)}>
            <summary>{t('map.legend')}</summary>
            <ul aria-label={t('map.legend')}>
              {lampStates.slice(0, 6).map((state) => (
                <li key={state}>
                  <StateShape state={state} />
                  {parts(`state.${state}`)}
                </li>
              ))}
            </ul>
          </details>
        ) : null}
        {empty ? (
          <LookOf theme={view.light === 'day' ? 'light' : 'dark'}>
            <div className={styles.overMap}>
              <Empty
                ofProjects={empty === 'noLamps'}
                title={t(`empty.${empty}`)}
                text={t(`empty.${empty}Text`, {
                  count: formatNumber(field.size + (unplaced === null ? 0 : unplacedOfAll), i18n.language, 0),
                })}
                {...wayOut}
              />
            </div>
          </LookOf>
        ) : null}
      </MapCanvas>
    </div>
  );
}

const changedAt = new WeakMap<object, { version: number; at: number }>();
/** When the lamps last changed, as far as this page saw it. */
function lastChange(field: object, version: number): number {
  const seen = changedAt.get(field);
  if (seen && seen.version === version) return seen.at;
  const at = Date.now();
  changedAt.set(field, { version, at });
  return at;
}

function useWindowWidth(): number {
  return useSyncExternalStore(
    (listen) => {
      window.addEventListener('resize', listen);
      return () => window.removeEventListener('resize', listen);
    },
    () => window.innerWidth,
  );
}
