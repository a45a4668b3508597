import { Suspense, useEffect, useRef, useState, type DragEvent } from 'react';
import type { FeatureCollection } from 'geojson';
import { useTranslation } from 'react-i18next';
import { usePermission } from '../../../frame/index.ts';
import { Empty, Icon, useFirstStep, type IconName } from '../../../parts/index.ts';
import type { DeviceField } from '../../../parts/map/device-field.ts';
import { MapCanvas } from '../../../parts/map/MapCanvas.tsx';
import type { MapView } from '../../../parts/map/map-view.ts';
import { PolygonSelect } from '../../../parts/map/PolygonSelect.tsx';
import { useNarrow } from '../../../parts/page/use-narrow.ts';
import { inPreview } from '../../../session/index.ts';
import { useLook } from '../../../theme/use-look.ts';
import { devicesDrawn } from './drawing.ts';
import { Handle } from './Handle.tsx';
import { LayerPanel } from './LayerPanel.tsx';
import { MovePanel } from './MovePanel.tsx';
import { PlaceCard } from './PlaceCard.tsx';
import { SearchBox, type FoundThing } from './SearchBox.tsx';
import { SelectionBar } from './SelectionBar.tsx';
import { SelectionDrawer } from './SelectionDrawer.tsx';
import { Unplaced, type Lost } from './Unplaced.tsx';
import { useRoadIds } from './use-device-map.ts';
import { useMove } from './use-move.ts';
import { useSelection } from './use-selection.ts';
import type { useView } from './view-state.ts';
import { useMapWords } from './words.ts';
import styles from './map.module.css';

/** Room of the card of a place, CSS pixels. */
const cardWidth = 340;

type Props = ReturnType<typeof useView> & { field: DeviceField; ground: FeatureCollection };

/**
 * The map with everything on it, and what floats above: search, layers, tools, the card of a place, the move in hand.
 */
export default function MapPane({ field, ground, view, put, setStates, setFamilies }: Props) {
  const { t } = useTranslation('device-map');
  const first = useFirstStep();
  const narrow = useNarrow();
  const { theme } = useLook();
  const [map, setMap] = useState<MapView | null>(null);
  const { selected, ofFamily, add, clear } = useSelection(field);
  const [tool, setTool] = useState<'polygon' | 'unplaced' | null>(null);
  const [opened, setOpened] = useState<string | null>(null);
  const mayEdit = usePermission('device.edit') && !inPreview();
  const edits = view.edits && mayEdit;
  const move = useMove();
  const words = useMapWords(field);
  const roadIds = useRoadIds(view.road?.id ?? null);
  useEffect(
    () => field.show({ families: view.families, states: view.states, ids: roadIds }),
    [field, view.families, view.states, roadIds],
  );
  const isDrawn = useDrawn(map);
  const dragged = useRef<Lost | null>(null);

  const middle = () => {
    const { lng, lat } = map?.map.getCenter() ?? { lng: 0, lat: 0 };
    return { longitude: lng, latitude: lat };
  };
  const found = (thing: FoundThing): void =>
    put(
      thing.kind === 'road'
        ? { road: thing.id, roadName: thing.name, device: null }
        : { device: thing.id, road: null, roadName: null },
    );
  const drop = (event: DragEvent): void => {
    const lost = dragged.current;
    if (!map || !lost) return;
    event.preventDefault();
    const box = map.map.getCanvas().getBoundingClientRect();
    const { lng, lat } = map.map.unproject([event.clientX - box.left, event.clientY - box.top]);
    move.place(lost, { longitude: lng, latitude: lat });
    dragged.current = null;
  };
  const leaveEditing = (): void => {
    move.cancel();
    setTool(null);
    put({ edit: null });
  };
  const toolButton = (icon: IconName, text: string, pressed: boolean, onClick: () => void) => (
    <button type="button" className={styles.tool} aria-pressed={pressed} title={text} onClick={onClick}>
      <Icon name={icon} size={14} />
      <span>{text}</span>
    </button>
  );

  return (
    <div
      className={styles.pane}
      data-map={isDrawn ? 'complete' : 'drawing'}
      onDragOver={(event) => {
        if (dragged.current) event.preventDefault();
      }}
      onDrop={drop}
    >
      <MapCanvas
        ground={ground}
        field={field}
        night={theme === 'dark'}
        drawing={devicesDrawn}
        words={words}
        onView={setMap}
        focusId={view.deviceId}
        canSelect
        padding={{
          left: narrow ? 0 : 276,
          right: narrow || view.deviceId === null ? 0 : cardWidth,
          ...(narrow && view.deviceId !== null ? { bottom: Math.round(window.innerHeight * 0.48) } : {}),
        }}
        fitKey={view.road === null ? 'all' : roadIds === null ? undefined : `road ${view.road.id}`}
        fitIds={roadIds}
        onPick={move.pending ? null : (id) => put({ device: id })}
        onBox={add}
      >
        {edits && map && move.pending ? (
          <Handle view={map} field={field} pending={move.pending} onMove={move.move} />
        ) : null}
        {map && tool === 'polygon' ? (
          <PolygonSelect
            hint={t(narrow ? 'select.polygonTouch' : 'select.polygonHint')}
            label={t('select.polygon')}
            onDone={(corners) => {
              add(map.lampsWithin(corners));
              setTool(null);
            }}
            onCancel={() => setTool(null)}
          />
        ) : null}
        <div className={styles.top}>
          <div className={styles.left}>
            <SearchBox onFound={found} />
            {view.road === null ? null : (
              <span className={styles.chip}>
                <Icon name="road" size={14} />
                {t('road.only', { name: view.road.name })}
                <button
                  type="button"
                  className={styles.iconButton}
                  aria-label={t('road.leave')}
                  title={t('road.leave')}
                  onClick={() => put({ road: null, roadName: null })}
                >
                  <Icon name="close" size={12} />
                </button>
              </span>
            )}
            <LayerPanel field={field} view={view} narrow={narrow} onFamilies={setFamilies} onStates={setStates} />
          </div>
          <div className={styles.tools}>
            {toolButton('expand', t('select.polygon'), tool === 'polygon', () =>
              setTool(tool === 'polygon' ? null : 'polygon'),
            )}
            {mayEdit
              ? toolButton('edit', t(edits ? 'edit.leave' : 'edit.begin'), edits, () =>
                  edits ? leaveEditing() : put({ edit: 'positions' }),
                )
              : null}
            {edits
              ? toolButton('pin', t('unplaced.title'), tool === 'unplaced', () =>
                  setTool(tool === 'unplaced' ? null : 'unplaced'),
                )
              : null}
          </div>
        </div>
        {edits && !move.pending && tool !== 'unplaced' && view.deviceId === null ? (
          <p className={styles.hint} role="status">
            {t('edit.hint')}
          </p>
        ) : null}
        {/* Words of theirs may still be on their way: the map does not go away for that. */}
        <Suspense fallback={null}>
          {edits && tool === 'unplaced' && !move.pending ? (
            <Unplaced
              onPlace={(lost) => move.place(lost, middle())}
              onDrag={(lost) => {
                dragged.current = lost;
              }}
              onClose={() => setTool(null)}
            />
          ) : null}
          {edits && move.pending ? (
            <MovePanel
              key={move.pending.id}
              field={field}
              pending={move.pending}
              saving={move.saving}
              error={move.error}
              onMove={move.move}
              onSave={() => void move.save()}
              onCancel={move.cancel}
            />
          ) : null}
          {view.deviceId !== null && !move.pending && !(edits && tool === 'unplaced') ? (
            <PlaceCard
              key={view.deviceId}
              field={field}
              deviceId={view.deviceId}
              onClose={() => put({ device: null })}
              onMove={edits ? (device) => move.start(device, middle()) : undefined}
              onSelect={add}
            />
          ) : null}
        </Suspense>
        {field.size === 0 && !edits ? (
          <div className={styles.overMap}>
            <Empty ofProjects title={t('empty.title')} text={t('empty.text')} {...first} />
          </div>
        ) : null}
        {roadIds?.size === 0 ? (
          <div className={styles.overMap}>
            <Empty
              title={t('road.empty', { name: view.road?.name ?? '' })}
              text={t('road.emptyText')}
              action={{ text: t('road.leave'), onClick: () => put({ road: null, roadName: null }) }}
            />
          </div>
        ) : null}
      </MapCanvas>
      {selected.size > 0 ? <SelectionBar field={field} ids={selected} onOpen={setOpened} onClear={clear} /> : null}
      <Suspense fallback={null}>
        {opened === null ? null : (
          <SelectionDrawer key={opened} family={opened} ids={ofFamily(opened)} onClose={() => setOpened(null)} />
        )}
      </Suspense>
    </div>
  );
}

/** Whether the map has once drawn everything and rested. */
function useDrawn(map: MapView | null): boolean {
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    const stop = map?.map.on('idle', () => setDrawn(true));
    return () => stop?.unsubscribe();
  }, [map]);
  return isDrawn;
}
