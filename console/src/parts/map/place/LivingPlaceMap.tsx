import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { FeatureCollection } from 'geojson';
import { useTranslation } from 'react-i18next';
import { getBaseMap } from '../../../../../contract/shell/demo.ts';
import { useCall } from '../../../api/index.ts';
import { useLook } from '../../../theme/use-look.ts';
import { Icon } from '../../icons/Icon.tsx';
import { BaseMapButton } from '../base-maps/BaseMapButton.tsx';
import { BaseMapNotice } from '../base-maps/BaseMapNotice.tsx';
import { useBaseMap } from '../base-maps/use-base-map.ts';
import canvas from '../MapCanvas.module.css';
import { ScaleBar } from '../MapControls.tsx';
import type { PlaceMapProps } from './PlaceMap.tsx';
import styles from './place-map.module.css';
import { PlaceView } from './place-view.ts';

const noGround: FeatureCollection = { type: 'FeatureCollection', features: [] };
const china = { longitude: 108, latitude: 34, zoom: 3.5 };

/** The map itself; `PlaceMap` loads it when it is wanted. */
export default function LivingPlaceMap({ pins, label, start, shown, onMoved, onView, className = '' }: PlaceMapProps) {
  const { t } = useTranslation('base-maps');
  const { t: lamp } = useTranslation('lamp');
  const own = useBaseMap();
  const base = shown ? { ...own, chosen: shown.base, failure: shown.failure } : own;
  const needsGround = base.chosen?.kind === 'ground';
  const { data } = useCall(getBaseMap, undefined, { staleTime: Infinity, enabled: needsGround });
  const ground = (needsGround ? (data as FeatureCollection | undefined) : undefined) ?? noGround;
  const dark = useLook().theme === 'dark';
  const host = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<PlaceView | null>(null);
  const moved = useEffectEvent((made: PlaceView) => {
    const { lng, lat } = made.map.getCenter();
    onMoved?.({ longitude: lng, latitude: lat, zoom: made.map.getZoom() });
  });
  const tell = useEffectEvent((living: PlaceView | null) => onView?.(living));
  const make = useEffectEvent(
    (container: HTMLElement) =>
      new PlaceView({
        container,
        base: base.chosen,
        ground,
        dark,
        start: start ?? (pins[0] ? { longitude: pins[0].longitude, latitude: pins[0].latitude, zoom: 16.5 } : china),
        reducedMotion: window.matchMedia('(prefers-reduced-motion: reduce)').matches,
        words: { label, wheel: t('move.wheel'), touch: t('move.touch') },
      }),
  );
  useEffect(() => {
    if (!host.current) return undefined;
    const made = make(host.current);
    made.map.on('moveend', () => moved(made));
    setView(made);
    tell(made);
    return () => {
      tell(null);
      setView(null);
      made.destroy();
    };
  }, []);
  useEffect(() => view?.setLook({ base: base.chosen, ground, dark }), [view, base.chosen, ground, dark]);
  useEffect(() => view?.showGrid(base.failure !== null), [view, base.failure]);
  const places = JSON.stringify(pins.map(({ longitude, latitude }) => ({ longitude, latitude })));
  useEffect(() => {
    if (!start) view?.fit(JSON.parse(places) as { longitude: number; latitude: number }[]);
  }, [view, places, start]);
  const spot = JSON.stringify(start ?? null);
  useEffect(() => {
    const to = JSON.parse(spot) as typeof start | null;
    if (to) view?.go(to);
  }, [view, spot]);
  return (
    <div className={`${styles.frame} ${className}`} data-theme={dark ? 'dark' : 'light'}>
      <div ref={host} className={styles.stage} />
      {view ? (
        <>
          <Pins view={view} pins={pins} />
          <div
            className={canvas.controls}
            style={{ right: 10, bottom: 10 }}
            role="toolbar"
            aria-orientation="vertical"
            aria-label={lamp('map.controls')}
          >
            {shown ? null : <BaseMapButton base={base} />}
            <button
              type="button"
              aria-label={lamp('map.zoomIn')}
              title={lamp('map.zoomIn')}
              onClick={() => view.zoomBy(1)}
            >
              <Icon name="plus" size={16} />
            </button>
            <button
              type="button"
              aria-label={lamp('map.zoomOut')}
              title={lamp('map.zoomOut')}
              onClick={() => view.zoomBy(-1)}
            >
              <Icon name="minus" size={16} />
            </button>
          </div>
          <ScaleBar view={view} />
          <BaseMapNotice base={base} size={shown ? 'passive' : 'small'} />
        </>
      ) : null}
    </div>
  );
}

/** Pins keep to their places without React; those in one place are told together. */
function Pins({ view, pins }: { view: PlaceView; pins: PlaceMapProps['pins'] }) {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const place = () => {
      for (const child of root.current?.children ?? []) {
        if (!(child instanceof HTMLElement)) continue;
        const { x, y } = view.map.project([Number(child.dataset['longitude']), Number(child.dataset['latitude'])]);
        child.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
      }
    };
    place();
    const stops = [view.map.on('move', place), view.map.on('resize', place)];
    return () => stops.forEach((stop) => stop.unsubscribe());
  }, [view, pins]);
  return (
    <div ref={root} className={styles.pins}>
      {pins.map((pin) => (
        <div key={pin.id} className={styles.pin} data-longitude={pin.longitude} data-latitude={pin.latitude}>
          <svg width="24" height="34" viewBox="-12 -33 24 34" aria-hidden>
            <path d="M0 0C-7 -9 -11 -13 -11 -20a11 11 0 0 1 22 0c0 7 -4 11 -11 20z" />
            {pin.n === undefined ? (
              <circle cy="-20" r="4" />
            ) : (
              <text y="-15.5" textAnchor="middle">
                {pin.n}
              </text>
            )}
          </svg>
          {pin.label ? <span className="code">{pin.label}</span> : null}
        </div>
      ))}
    </div>
  );
}
