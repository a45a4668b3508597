import { Segmented } from 'antd';
import type { FeatureCollection } from 'geojson';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getLampMap } from '../../../../contract/light/lamps.ts';
import { getBaseMap } from '../../../../contract/shell/demo.ts';
import { useCall } from '../../api/index.ts';
import { formatNumber } from '../../locales/format-number.ts';
import { useLook } from '../../theme/use-look.ts';
import { Icon } from '../icons/Icon.tsx';
import { LampField } from '../map/lamp-field.ts';
import { LampLayers } from '../map/lamp-layers.ts';
import { MapCanvas } from '../map/MapCanvas.tsx';
import type { Drawing, MapView } from '../map/map-view.ts';
import { PolygonSelect } from '../map/PolygonSelect.tsx';
import { Empty, ErrorState, Skeleton } from '../notices/Notices.tsx';
import { useNarrow } from '../page/use-narrow.ts';
import styles from './choose-lamps.module.css';
import { useFirstFit } from './use-first-fit.ts';

const noGround: FeatureCollection = { type: 'FeatureCollection', features: [] };
const staleMs = 5 * 60_000;
/** Shapes of states by night too: what is chosen is looked for, not light. */
const shapes: Drawing = { glows: false, make: (field, colours) => new LampLayers(field, colours) };

const ways = ['add', 'leave'] as const;
type Way = (typeof ways)[number];

interface Props {
  ids: ReadonlySet<number>;
  onChange: (ids: ReadonlySet<number>) => void;
}

/** The lamps that the account sees, those in `ids` marked: an area, a rectangle or a click adds some or leaves them out. */
export default function ChoiceMap({ ids, onChange }: Props) {
  const { t, i18n } = useTranslation('choose-lamps');
  const narrow = useNarrow();
  const dark = useLook().theme === 'dark';
  const all = useCall(getLampMap, { query: {} }, { staleTime: staleMs });
  const ground = useCall(getBaseMap, undefined, { staleTime: Infinity });
  const field = useMemo(() => (all.data ? new LampField(all.data) : null), [all.data]);
  const [map, setMap] = useState<MapView | null>(null);
  const [drawing, setDrawing] = useState(false);
  const [way, setWay] = useState<Way>('add');
  const fitting = useFirstFit(map !== null, ids);
  useEffect(() => field?.select(ids), [field, ids]);

  if (all.error && !all.data) return <ErrorState error={all.error} onRetry={all.refetch} />;
  if (!field || ground.isPending) return <Skeleton rows={6} height={320} />;
  if (field.size === 0) return <Empty ofProjects title={t('empty')} text={t('noMapText')} />;
  const change = (some: readonly number[], on: boolean): void => {
    const next = new Set(ids);
    for (const id of some) {
      if (on) next.add(id);
      else next.delete(id);
    }
    onChange(next);
  };
  const unplaced = all.data?.unplaced ?? 0;
  return (
    <MapCanvas
      ground={(ground.data as FeatureCollection | undefined) ?? noGround}
      field={field}
      night={dark}
      drawing={shapes}
      focusId={null}
      padding={{ left: 0, right: 0 }}
      {...fitting}
      canSelect
      onView={setMap}
      onPick={(id) => {
        if (id !== null) change([id], !ids.has(id));
      }}
      onBox={(some) => change(some, way === 'add')}
    >
      {map && drawing ? (
        <PolygonSelect
          hint={t(narrow ? 'area.touch' : 'area.hint')}
          label={t('area')}
          setting={way}
          onDone={(corners) => {
            change(map.lampsWithin(corners), way === 'add');
            setDrawing(false);
          }}
          onCancel={() => setDrawing(false)}
        />
      ) : null}
      <div className={styles.tools}>
        <button
          type="button"
          className={styles.tool}
          aria-pressed={drawing}
          onClick={() => setDrawing((before) => !before)}
        >
          <Icon name="edit" size={14} />
          {t('area')}
        </button>
        <Segmented<Way>
          value={way}
          onChange={setWay}
          aria-label={t('way')}
          options={ways.map((value) => ({ value, label: t(`way.${value}`) }))}
        />
      </div>
      {unplaced > 0 ? (
        <p className={styles.note}>{t('unplaced', { n: formatNumber(unplaced, i18n.language, 0) })}</p>
      ) : null}
    </MapCanvas>
  );
}
