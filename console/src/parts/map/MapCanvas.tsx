import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import type { FeatureCollection } from 'geojson';
import type { MapMouseEvent } from 'maplibre-gl';
import { useTranslation } from 'react-i18next';
import { useGone, useKept } from '../../frame/tabs/tab-context.ts';
import { BaseMapButton } from './base-maps/BaseMapButton.tsx';
import { BaseMapNotice } from './base-maps/BaseMapNotice.tsx';
import { useBaseMap } from './base-maps/use-base-map.ts';
import { BoxSelect } from './BoxSelect.tsx';
import { Focus } from './Focus.tsx';
import type { LampField } from './lamp-field.ts';
import styles from './MapCanvas.module.css';
import { MapControls } from './MapControls.tsx';
import { MapView, type Drawing, type ScreenPoint } from './map-view.ts';
import { Pills } from './Pills.tsx';
import type { Room } from './room.ts';
import { useCaptions } from './use-captions.ts';
import { useFit, useReveal } from './use-fit.ts';
import type { MapWords } from './words.ts';

export interface MapCanvasProps {
  ground: FeatureCollection;
  field: LampField;
  night: boolean;
  /** The lamp shown in the drawer, or null. */
  focusId: number | null;
  /** Room that panels take on the map, CSS pixels: the focused lamp is kept out of it. */
  padding: Room;
  /** Changes of this fit the view to `fitIds` (null: all lamps); undefined: they are not known yet, the view stays. */
  fitKey?: string | undefined;
  fitIds?: ReadonlySet<number> | null | undefined;
  canSelect: boolean;
  /** null: nothing can be picked at the moment. */
  onPick: ((id: number | null) => void) | null;
  onBox: (ids: readonly number[]) => void;
  children?: ReactNode;
  /** Other things than lamps: how they are drawn (one and the same while the map lives), what they are called. */
  drawing?: Drawing | undefined;
  words?: MapWords | undefined;
  /** The living map, for what is drawn over it. */
  onView?: ((view: MapView) => void) | undefined;
}

/** The map's element and its view: kept while the tab is hidden, given back when the page or dialog drops the map. */
class Holder {
  private readonly element = document.createElement('div');
  view: MapView | null = null;

  /** Puts the map into `host`, made by `make` the first time. */
  show(host: HTMLElement, className: string, make: (container: HTMLElement) => MapView): MapView {
    this.element.classList.add(className);
    host.append(this.element);
    this.view ??= make(this.element);
    this.view.resume();
    return this.view;
  }

  destroy(): void {
    this.view?.destroy();
    this.view = null;
    this.element.remove();
  }
}

/**
 * The map of all lamps. While its tab is hidden it draws nothing, shown again it continues where it was.
 * Everything on it can also be done in the list, which is its equivalent for keyboard and screen reader.
 */
export function MapCanvas(props: MapCanvasProps) {
  const { field, night, ground, focusId, padding, fitKey, fitIds, canSelect, onPick, onBox, drawing, words, onView } =
    props;
  const { t } = useTranslation('lamp');
  const host = useRef<HTMLDivElement>(null);
  const holder = useKept(
    () => new Holder(),
    (kept) => kept.destroy(),
  );
  // A dialog that closes, a page that shows its list: the drawing context is given back at once.
  useGone(() => holder.destroy());
  const [view, setView] = useState<MapView | null>(holder.view);
  const base = useBaseMap();
  const [boxing, setBoxing] = useState(false);
  const [hovered, setHovered] = useState<number | null>(null);

  const box = useEffectEvent((from: ScreenPoint, to: ScreenPoint) => {
    setBoxing(false);
    if (holder.view) onBox(holder.view.lampsIn(from, to));
  });
  const start = useEffectEvent(() => {
    if (!host.current) return;
    setView(
      holder.show(
        host.current,
        styles.map ?? 'map',
        (container) =>
          new MapView({
            container,
            ground,
            base: base.chosen,
            field,
            night,
            drawing,
            padding: roomAround(padding),
            label: words?.map ?? t('map.label'),
            onBox: (from, to) => canSelect && box(from, to),
            reducedMotion: window.matchMedia('(prefers-reduced-motion: reduce)').matches,
          }),
      ),
    );
  });
  useLayoutEffect(() => {
    start();
    return () => holder.view?.pause();
  }, [holder]);
  useEffect(() => view?.setNight(night), [view, night]);
  useEffect(() => view?.setGround(ground), [view, ground]);
  useEffect(() => view?.setField(field), [view, field]);
  useEffect(() => view?.setBase(base.chosen), [view, base.chosen]);
  useEffect(() => view?.showGrid(base.failure !== null), [view, base.failure]);

  const fit = (): void => view?.fit(fitIds ? field.bounds(fitIds) : null, roomAround(padding));
  useFit(view !== null, fitKey, fit);

  // Chosen on the map it is where the pointer is; chosen elsewhere the map flies there.
  const picked = useReveal(view, focusId, (id, isHere) => {
    const index = field.indexOf(id);
    if (index !== undefined) view?.reveal(index, roomOfName(padding), isHere);
  });
  const pick = (id: number | null): void => {
    if (onPick === null) return;
    picked(id);
    onPick(id);
  };
  const tell = useEffectEvent((shown: MapView) => onView?.(shown));
  useEffect(() => {
    if (view) tell(view);
  }, [view]);
  useCaptions(view, field, { night, focusId, isOn: words === undefined });
  usePointer(view, field, pick, setHovered);

  return (
    <div className={styles.host} data-theme={night ? 'dark' : 'light'}>
      <div ref={host} className={styles.stage} data-hovering={hovered !== null || undefined} />
      {view ? (
        <>
          <Pills view={view} field={field} focusId={focusId} onPick={pick} words={words} />
          <Focus view={view} field={field} focusId={focusId} hoveredId={hovered} words={words} />
          {boxing ? <BoxSelect onDone={box} onCancel={() => setBoxing(false)} hint={words?.boxHint} /> : null}
          <MapControls
            view={view}
            right={padding.right}
            onFit={fit}
            boxing={boxing}
            onBoxing={canSelect ? setBoxing : undefined}
          >
            <BaseMapButton base={base} />
          </MapControls>
          <BaseMapNotice base={base} right={padding.right} />
        </>
      ) : null}
      {props.children}
    </div>
  );
}

/** What must stay free of lamps when the view is fitted, and of the opened lamp. */
const roomAround = ({ left, right, top = 56, bottom = 48 }: Room) => ({
  top,
  bottom,
  left: left + 24,
  right: right + 32,
});

const isOnMap = (event: MapMouseEvent, map: MapView['map']): boolean => event.originalEvent.target === map.getCanvas();

/** The name above the opened lamp is about 150 px wide. */
const roomOfName = ({ left, right, ...others }: Room) => roomAround({ left: left + 60, right: right + 52, ...others });

/** Click and hover by the grid in memory: the map itself has nothing to hit. */
function usePointer(
  view: MapView | null,
  field: LampField,
  onPick: (id: number | null) => void,
  onHover: (id: number | null) => void,
): void {
  const idAt = useEffectEvent((point: ScreenPoint): number | null => {
    const index = view?.lampAt(point) ?? null;
    return index === null ? null : field.ids[index]!;
  });
  const pick = useEffectEvent((point: ScreenPoint) => onPick(idAt(point)));
  const hover = useEffectEvent((point: ScreenPoint | null) => onHover(point === null ? null : idAt(point)));
  useEffect(() => {
    if (!view) return undefined;
    const { map } = view;
    const stops = [
      // A click on a pill is the pill's.
      map.on('click', (event) => isOnMap(event, map) && pick(event.point)),
      map.on('mousemove', (event) =>
        hover(event.originalEvent.buttons === 0 && isOnMap(event, map) ? event.point : null),
      ),
      map.on('mouseout', () => hover(null)),
      map.on('movestart', () => hover(null)),
    ];
    return () => stops.forEach((stop) => stop.unsubscribe());
  }, [view]);
}
