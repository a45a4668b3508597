import { useEffect, useEffectEvent, useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber, Icon } from '../../../parts/index.ts';
import type { DeviceField } from '../../../parts/map/device-field.ts';
import { familyIcon } from '../../../parts/map/device-atlas.ts';
import { useFollow } from '../../../parts/map/follow.ts';
import type { MapView } from '../../../parts/map/map-view.ts';
import styles from './map.module.css';
import { metresMoved, rounded, shifted, type Pending, type Position } from './pending.ts';

/** From here on a metre is more than a pixel. */
const leastZoom = 17;
const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/**
 * What is being moved: a handle that is dragged, moved by arrow keys (1 m, with Shift 10 m) or set by a click on the
 * map; a ghost stays where it stood, with the distance.
 */
export function Handle({
  view,
  field,
  pending,
  onMove,
}: {
  view: MapView;
  field: DeviceField;
  pending: Pending;
  onMove: (to: Position) => void;
}) {
  const { t, i18n } = useTranslation('device-map');
  const root = useRef<HTMLDivElement>(null);
  const handle = useRef<HTMLButtonElement>(null);
  const grip = useRef<{ dx: number; dy: number } | null>(null);
  const [x, y] = field.place.toLocal(pending.to.longitude, pending.to.latitude);
  const ghost = pending.from && field.place.toLocal(pending.from.longitude, pending.from.latitude);
  useFollow(root, view);
  const move = useEffectEvent(onMove);
  useEffect(() => {
    const stop = view.map.on('click', ({ lngLat }) => move(rounded({ longitude: lngLat.lng, latitude: lngLat.lat })));
    return () => stop.unsubscribe();
  }, [view]);
  const reveal = useEffectEvent(() => {
    const point = view.toScreen(x, y);
    const { clientWidth, clientHeight } = view.map.getCanvas();
    const inside = point.x > 40 && point.y > 40 && point.x < clientWidth - 40 && point.y < clientHeight - 40;
    // Nothing can be dragged precisely where streets are hair lines.
    const zoom = Math.max(view.map.getZoom(), leastZoom);
    if (!inside || zoom > view.map.getZoom())
      view.map.jumpTo({ center: [pending.to.longitude, pending.to.latitude], zoom });
    handle.current?.focus({ preventScroll: true });
  });
  useEffect(() => reveal(), [pending.id]);

  const drag = (event: PointerEvent): void => {
    if (!grip.current) return;
    const box = view.map.getCanvas().getBoundingClientRect();
    const { lng, lat } = view.map.unproject([
      event.clientX - box.left - grip.current.dx,
      event.clientY - box.top - grip.current.dy,
    ]);
    onMove(rounded({ longitude: lng, latitude: lat }));
  };
  const grasp = (event: PointerEvent<HTMLElement>): void => {
    const box = view.map.getCanvas().getBoundingClientRect();
    const point = view.toScreen(x, y);
    grip.current = { dx: event.clientX - box.left - point.x, dy: event.clientY - box.top - point.y };
    event.currentTarget.setPointerCapture(event.pointerId);
    event.stopPropagation();
  };
  const press = (event: KeyboardEvent): void => {
    const step = arrows[event.key];
    if (!step) return;
    const metres = event.shiftKey ? 10 : 1;
    const to = rounded(shifted(pending.to, step[0] * metres, step[1] * metres));
    onMove(to);
    // What is moved by keys stays in sight, and with it the focus.
    const point = view.map.project([to.longitude, to.latitude]);
    const { clientWidth, clientHeight } = view.map.getCanvas();
    if (point.x < 40 || point.y < 40 || point.x > clientWidth - 40 || point.y > clientHeight - 40)
      view.map.jumpTo({ center: [to.longitude, to.latitude] });
    event.preventDefault();
    event.stopPropagation();
  };
  const metres = metresMoved(pending);
  return (
    <div ref={root} className={styles.handles}>
      {ghost && metres !== null && metres > 0 ? (
        <span className={styles.ghost} data-x={ghost[0]} data-y={ghost[1]} aria-hidden />
      ) : null}
      <div className={styles.handleAt} data-x={x} data-y={y}>
        <button
          ref={handle}
          type="button"
          className={styles.handle}
          aria-label={t('edit.handle', { code: pending.code })}
          title={t('edit.handle', { code: pending.code })}
          onPointerDown={grasp}
          onPointerMove={drag}
          onPointerUp={() => {
            grip.current = null;
          }}
          onPointerCancel={() => {
            grip.current = null;
          }}
          onKeyDown={press}
        >
          <Icon name={familyIcon(pending.family)} size={18} />
        </button>
        <span className={styles.handleTag} aria-hidden>
          <b className="code">{pending.code}</b>
          {metres === null
            ? null
            : ` ${t('edit.metres', { n: formatNumber(metres, i18n.language, metres < 100 ? 1 : 0) })}`}
        </span>
      </div>
    </div>
  );
}
