import { memo, useEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../locales/format-number.ts';
import { StateShape } from '../state/StateMark.tsx';
import { lampStates } from '../../../../contract/light/lamps.ts';
import { clusterLamps, shapesFromZoom, type Cluster } from './clusters.ts';
import { useFollow } from './follow.ts';
import type { LampField } from './lamp-field.ts';
import styles from './MapCanvas.module.css';
import type { MapView } from './map-view.ts';
import { useFieldVersion } from './use-field.ts';
import type { MapWords } from './words.ts';

/**
 * From afar: one pill for each neighbourhood where not all is well, by its worst state; none where all is well, nor
 * under the name of the opened lamp. They lie inside the map's own element: a wheel or a drag that begins on a pill is
 * the map's.
 */
export function Pills({
  view,
  field,
  focusId,
  onPick,
  words,
}: {
  view: MapView;
  field: LampField;
  focusId: number | null;
  onPick: (id: number) => void;
  words?: MapWords | undefined;
}) {
  const level = useZoomLevel(view);
  const version = useFieldVersion(field);
  const clusters = useMemo(
    () => (level >= shapesFromZoom || version < 0 ? [] : clusterLamps(field, level)),
    [field, level, version],
  );
  const root = useRef<HTMLDivElement>(null);
  const focused = focusId === null ? undefined : field.indexOf(focusId);
  useFollow(root, view, (point, child) => {
    if (focused === undefined) return false;
    const lamp = view.toScreen(field.positions[focused * 2]!, field.positions[focused * 2 + 1]!);
    return underName(point.x - lamp.x, point.y - lamp.y, child.className === styles.single ? 13 : 54);
  });
  return createPortal(
    <div ref={root} className={styles.pills}>
      {clusters.map((cluster) => (
        <Pill
          key={cluster.key}
          cluster={cluster}
          words={words}
          onOpen={() =>
            cluster.only === null ? view.approach(cluster.x, cluster.y) : onPick(field.ids[cluster.only]!)
          }
          code={cluster.only === null ? null : (words?.nameOf(cluster.only) ?? field.codes[cluster.only]!)}
        />
      ))}
    </div>,
    view.map.getCanvasContainer(),
  );
}

/**
 * Whether a pill so many pixels from the opened lamp touches its ring (radius 21) or its name above (about 150 × 26,
 * see Focus).
 */
const underName = (dx: number, dy: number, halfWidth: number): boolean =>
  (Math.abs(dx) < 21 + halfWidth && Math.abs(dy) < 21 + 13) ||
  (Math.abs(dx) < 78 + halfWidth && dy > -50 - 16 && dy < -24 + 16);

const Pill = memo(
  function Pill({
    cluster,
    code,
    onOpen,
    words,
  }: {
    cluster: Cluster;
    code: string | null;
    onOpen: () => void;
    words?: MapWords | undefined;
  }) {
    const { t, i18n } = useTranslation('lamp');
    const { t: parts } = useTranslation('parts');
    const state = lampStates[cluster.state] ?? 'unknown';
    const word = parts(`state.${state}`);
    const pillOfLamps: MapWords['pill'] = (values) => t('map.pill', values);
    const number = (value: number) => formatNumber(value, i18n.language, 0);
    const hint =
      code === null
        ? (words?.pill ?? pillOfLamps)({ state: word, count: number(cluster.inState), total: number(cluster.total) })
        : `${code} · ${word}`;
    return (
      <button
        type="button"
        className={code === null ? styles.pill : styles.single}
        data-x={cluster.x}
        data-y={cluster.y}
        title={hint}
        onClick={onOpen}
        {...(code === null ? {} : { 'aria-label': hint })}
      >
        <span>
          <StateShape state={state} size={code === null ? 12 : 13} />
          {code === null ? (
            <>
              <i className={styles.spoken}>{word}</i>
              <b>{number(cluster.inState)}</b>
              <small>/ {number(cluster.total)}</small>
            </>
          ) : null}
        </span>
      </button>
    );
  },
  (before, after) => {
    const a = before.cluster;
    const b = after.cluster;
    return (
      a.x === b.x &&
      a.y === b.y &&
      a.state === b.state &&
      a.inState === b.inState &&
      a.total === b.total &&
      a.only === b.only
    );
  },
);

/** The whole step of the zoom: pills change with it, not with every touch of the wheel. */
function useZoomLevel(view: MapView): number {
  const [level, setLevel] = useState(() => Math.floor(view.map.getZoom()));
  useEffect(() => {
    const take = () => setLevel(Math.floor(view.map.getZoom()));
    take();
    const stop = view.map.on('zoom', take);
    return () => stop.unsubscribe();
  }, [view]);
  return level;
}
