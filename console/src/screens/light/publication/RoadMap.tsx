import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getPublicationRoads } from '../../../../../contract/light/publication-roads.ts';
import { useCall } from '../../../api/index.ts';
import { Empty, ErrorState, Skeleton } from '../../../parts/index.ts';
import { PlaceMap } from '../../../parts/map/place/PlaceMap.tsx';
import type { PlaceView } from '../../../parts/map/place/place-view.ts';
import { shownStates } from '../../../parts/publishing/LampBar.tsx';
import { usePublicationWords, type PublicationLampState } from '../../../parts/publishing/words.ts';
import { paletteOf } from '../../../theme/tokens.ts';
import { useLook } from '../../../theme/use-look.ts';
import type { OpenPublication } from './index.tsx';
import { RoadLayers, type DrawnRoad, type Hit } from './road-layers.ts';
import { stretchesOf } from './road-line.ts';
import { strokes } from './road-strokes.ts';
import styles from './publication.module.css';

type Road = OpenPublication['roads'][number];
/** Where roads lie does not change with what their lamps prove. */
const staleMs = 5 * 60_000;
const noPins: readonly never[] = [];

interface Props {
  id: number;
  roads: readonly Road[];
  chosen: number | null;
  /** A road and a state of it: its lamps. */
  onPick: (roadId: number, state: PublicationLampState) => void;
}

/** The bar of each road laid along the road on the map; a click leads to the lamps of that road and state. */
export default function RoadMap({ id, roads, chosen, onPick }: Props) {
  const { t } = useTranslation('publishing');
  const words = usePublicationWords();
  const lines = useCall(getPublicationRoads, { params: { id } }, { staleTime: staleMs });
  const [view, setView] = useState<PlaceView | null>(null);
  const drawn = useMemo((): DrawnRoad[] => {
    const states = new Map(roads.map((road) => [road.roadId, road.states]));
    return (lines.data?.roads ?? []).map(({ roadId, line }) => ({
      roadId,
      stretches: stretchesOf(line, states.get(roadId) ?? {}),
    }));
  }, [lines.data, roads]);
  const hovered = useRoads(view, { drawn, chosen, onPick });
  const hasFit = lines.data !== undefined && view !== null;
  const fit = useEffectEvent(() =>
    view?.fit(
      (lines.data?.roads ?? []).flatMap(({ line }) => line.map(([longitude, latitude]) => ({ longitude, latitude }))),
    ),
  );
  useEffect(() => {
    if (hasFit) fit();
  }, [hasFit]);
  if (lines.error && !lines.data) return <ErrorState error={lines.error} onRetry={lines.refetch} />;
  if (!lines.data) return <Skeleton rows={6} height={360} />;
  if (lines.data.roads.length === 0) return <Empty title={t('map.none')} text={t('map.noneText')} />;
  const shown = new Set(roads.flatMap((road) => Object.keys(road.states)));
  const at = hovered && roads.find((road) => road.roadId === hovered.hit.roadId);
  return (
    <div className={styles.roadMap}>
      <div className={styles.mapFrame}>
        <PlaceMap
          pins={noPins}
          label={t('map.label')}
          className={styles.map}
          onView={setView}
          fallback={<Empty title={t('map.noMap')} text={t('map.noMapText')} />}
        />
        {hovered && at ? (
          <div className={styles.tip} style={{ left: hovered.x, top: hovered.y }}>
            <b>{at.name ?? '—'}</b>
            {shownStates
              .filter((state) => (at.states[state] ?? 0) > 0)
              .map((state) => (
                <span key={state} data-on={state === hovered.hit.state || undefined}>
                  {words.state(state)} {words.number(at.states[state] ?? 0)}
                </span>
              ))}
          </div>
        ) : null}
      </div>
      <ul className={styles.legend} aria-label={t('map.legend')}>
        {shownStates
          .filter((state) => shown.has(state))
          .map((state) => (
            <li key={state}>
              <LineOf state={state} />
              {words.state(state)}
            </li>
          ))}
      </ul>
      <p className={styles.mapNote}>
        {t('map.note')}
        {lines.data.without > 0 ? ` ${t('map.without', { n: words.number(lines.data.without) })}` : ''}
      </p>
    </div>
  );
}

/** The stroke of a state as the map draws it. */
function LineOf({ state }: { state: PublicationLampState }) {
  const { ink, width, dash, inner } = strokes[state];
  const line = (stroke: { ink: string; width: number; dash?: readonly number[] | undefined }) => (
    <path
      d="M0 7h28"
      fill="none"
      stroke={`var(--${stroke.ink})`}
      strokeWidth={stroke.width}
      {...(stroke.dash ? { strokeDasharray: stroke.dash.map((part) => part * stroke.width).join(' ') } : {})}
    />
  );
  return (
    <svg width="28" height="14" aria-hidden>
      {line({ ink, width, dash })}
      {inner ? line(inner) : null}
    </svg>
  );
}

/** Keeps the roads of the map as they are, and says what the pointer is on. */
function useRoads(
  view: PlaceView | null,
  { drawn, chosen, onPick }: { drawn: readonly DrawnRoad[] } & Pick<Props, 'chosen' | 'onPick'>,
) {
  const { theme, accent } = useLook();
  const [layers, setLayers] = useState<RoadLayers | null>(null);
  const [hovered, setHovered] = useState<{ readonly x: number; readonly y: number; readonly hit: Hit } | null>(null);
  const inks = useMemo(() => paletteOf(theme, accent), [theme, accent]);
  const now = useMemo(() => ({ roads: drawn, chosen, inks }), [drawn, chosen, inks]);
  const begin = useEffectEvent((shown: PlaceView) => new RoadLayers(shown.map, now));
  const pick = useEffectEvent((hit: Hit | null) => {
    if (hit) onPick(hit.roadId, hit.state);
  });
  useEffect(() => {
    if (!view) return undefined;
    const made = begin(view);
    setLayers(made);
    const { map } = view;
    const stops = [
      map.on('click', ({ point }) => pick(made.at(point))),
      map.on('mousemove', ({ point: { x, y } }) => {
        const hit = made.at({ x, y });
        map.getCanvas().style.cursor = hit ? 'pointer' : '';
        setHovered(hit && { x, y, hit });
      }),
      map.on('mouseout', () => setHovered(null)),
      map.on('movestart', () => setHovered(null)),
    ];
    return () => {
      stops.forEach((stop) => stop.unsubscribe());
      made.dispose();
      setLayers(null);
    };
  }, [view]);
  useEffect(() => layers?.draw(now), [layers, now]);
  return hovered;
}
