import { Button, InputNumber } from 'antd';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listBaseMaps, listBaseMapSettings } from '../../../../../contract/shell/base-maps.ts';
import { useCall } from '../../../api/index.ts';
import { useMapFailure, forgetTiles } from '../../../parts/map/base-maps/health.ts';
import type { BaseMapView } from '../../../parts/map/base-maps/map-style.ts';
import { useBaseMapName } from '../../../parts/map/base-maps/use-base-map.ts';
import { PlaceMap } from '../../../parts/map/place/PlaceMap.tsx';
import { Card, Empty, ErrorState, Icon, Page, PageBar, Skeleton, useErrorText } from '../../../parts/index.ts';
import { inPreview } from '../../../session/index.ts';
import { AnswerOf } from '../../../parts/map/answer/AnswerOf.tsx';
import { useAnswers, type Outcome } from '../../../parts/map/answer/use-answers.ts';
import styles from './map-test.module.css';

interface Spot {
  readonly longitude: number;
  readonly latitude: number;
  readonly zoom: number;
}

/**
 * The map-service test page (specified 2.11): what every configured base map really answers for a place, and the map
 * beside it.
 */
export default function MapTest() {
  const { t } = useTranslation('base-maps');
  const { t: menu } = useTranslation('menu');
  const list = useCall(listBaseMaps, {});
  const settings = useCall(listBaseMapSettings, {});
  const place = settings.data?.place;
  return (
    <Page>
      <PageBar title={menu('maptest')} note={t('test.note')} />
      {list.error && !list.data ? (
        <Card>
          <ErrorState title={t('fetch.failed')} error={list.error} onRetry={list.refetch} />
        </Card>
      ) : list.isPending || settings.isPending ? (
        <Card>
          <Skeleton rows={8} height={420} />
        </Card>
      ) : (
        <Test
          maps={list.data.data}
          begin={{
            longitude: round(place?.longitude ?? 116.404),
            latitude: round(place?.latitude ?? 39.915),
            zoom: 15,
          }}
        />
      )}
    </Page>
  );
}

const round = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;

function Test({ maps, begin }: { maps: readonly BaseMapView[]; begin: Spot }) {
  const { t } = useTranslation('base-maps');
  const [at, setAt] = useState(begin);
  const [middle, setMiddle] = useState<Spot | null>(null);
  const [shownId, setShownId] = useState(() => maps.find(({ isDefault }) => isDefault)?.id ?? maps[0]?.id);
  const shown = maps.find(({ id }) => id === shownId) ?? null;
  const failure = useMapFailure(shown?.id);
  const { outcomes, ask } = useAnswers();
  const run = ({ id }: BaseMapView, spot: Spot): void => {
    forgetTiles(id);
    void ask(id, { id, ...spot });
  };
  // Every map on its own, so that a slow service holds up nobody.
  const runAll = (spot: Spot): void => maps.forEach((map) => run(map, spot));
  const isBegun = useRef(false);
  const first = useEffectEvent(() => {
    // Effects run again whenever the tab is shown again; outside services are not asked for that.
    if (isBegun.current || inPreview()) return;
    isBegun.current = true;
    runAll(at);
  });
  useEffect(() => first(), []);
  const running = Object.values(outcomes).some(({ isRunning }) => isRunning);
  const take = (): void => {
    if (!middle) return;
    const spot = {
      longitude: round(middle.longitude),
      latitude: round(middle.latitude),
      zoom: Math.round(middle.zoom),
    };
    setAt(spot);
    runAll(spot);
  };
  return (
    <div className={styles.columns}>
      <div className={styles.side}>
        <Card title={t('test.place')}>
          <form
            className={styles.place}
            onSubmit={(event) => {
              event.preventDefault();
              runAll(at);
            }}
          >
            <Coordinate
              name="longitude"
              most={180}
              value={at.longitude}
              onChange={(longitude) => setAt({ ...at, longitude })}
            />
            <Coordinate
              name="latitude"
              most={85}
              value={at.latitude}
              onChange={(latitude) => setAt({ ...at, latitude })}
            />
            <Coordinate name="zoom" least={0} most={22} value={at.zoom} onChange={(zoom) => setAt({ ...at, zoom })} />
            <span className={styles.buttons}>
              <Button
                type="primary"
                htmlType="submit"
                disabled={inPreview()}
                loading={running}
                icon={<Icon name="retry" size={14} />}
              >
                {t('test.run')}
              </Button>
              <Button disabled={!middle || inPreview()} onClick={take}>
                {t('test.middle')}
              </Button>
            </span>
          </form>
        </Card>
        <ul className={styles.maps} aria-label={t('list')}>
          {maps.map((map) => (
            <Line
              key={map.id}
              map={map}
              current={map.id === shown?.id}
              outcome={outcomes[map.id]}
              onShow={() => setShownId(map.id)}
              onRun={() => run(map, at)}
            />
          ))}
        </ul>
      </div>
      <Card title={t('test.map')}>
        <PlaceMap
          className={styles.map}
          label={t('test.map')}
          pins={[{ id: 0, longitude: at.longitude, latitude: at.latitude, label: '' }]}
          start={at}
          shown={{ base: shown, failure }}
          onMoved={setMiddle}
          fallback={<Empty title={t('test.noMap')} text={t('test.noMapText')} />}
        />
      </Card>
    </div>
  );
}

function Coordinate({
  name,
  value,
  most,
  least = -most,
  onChange,
}: {
  name: 'longitude' | 'latitude' | 'zoom';
  value: number;
  most: number;
  least?: number;
  onChange: (value: number) => void;
}) {
  const { t } = useTranslation('base-maps');
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{t(`place.${name}`)}</label>
      <InputNumber
        id={id}
        min={least}
        max={most}
        value={value}
        step={name === 'zoom' ? 1 : 0.001}
        {...(name === 'zoom' ? { precision: 0 } : {})}
        onChange={(next) => {
          if (next !== null) onChange(next);
        }}
      />
    </div>
  );
}

function Line({
  map,
  current,
  outcome,
  onShow,
  onRun,
}: {
  map: BaseMapView;
  current: boolean;
  outcome: Outcome | undefined;
  onShow: () => void;
  onRun: () => void;
}) {
  const { t } = useTranslation('base-maps');
  const nameOf = useBaseMapName();
  const errorText = useErrorText();
  return (
    <li className={styles.line} data-current={current || undefined}>
      <div className={styles.head}>
        <button type="button" aria-pressed={current} onClick={onShow}>
          <b>{nameOf(map)}</b>
          {map.layers > 0 ? (
            <small>
              {t(`kind.${map.kind}`)} · {t(`system.${map.system}`)}
            </small>
          ) : null}
        </button>
        <Button
          size="small"
          disabled={inPreview()}
          loading={outcome?.isRunning ?? false}
          onClick={onRun}
          aria-label={t('test.again', { name: nameOf(map) })}
        >
          {t('trial.again')}
        </Button>
      </div>
      {outcome === undefined ? null : outcome.isRunning ? (
        <Skeleton rows={2} />
      ) : outcome.answer ? (
        <AnswerOf answer={outcome.answer} />
      ) : (
        <p className={styles.words} data-bad="">
          <Icon name="warning" size={14} />
          <span>{errorText(outcome.failure)}</span>
        </p>
      )}
    </li>
  );
}
