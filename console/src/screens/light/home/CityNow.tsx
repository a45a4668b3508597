import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { useCall } from '../../../api/index.ts';
import { useOpen, usePermission } from '../../../frame/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { ErrorState, formatNumber, RelativeTime } from '../../../parts/index.ts';
import { useEpisodeWords } from '../../../parts/episodes/words.ts';
import { MiniMap } from '../../../parts/mini-map/MiniMap.tsx';
import { PageLink } from '../../../parts/page/PageLink.tsx';
import { useNow } from '../../../parts/time/use-now.ts';
import type { getHomeMap } from '../../../../../contract/light/home.ts';
import type { Home, HomeMap } from './calls.ts';
import styles from './city.module.css';
import { MapSkeleton } from './Skeletons.tsx';

type Place = HomeMap['places'][number];

/** The lamps of a place that have something, on the map of the monitor. */
function searchOf({ kind, id }: Place): string {
  const query = new URLSearchParams({ states: 'alarm,offline' });
  if (id === null) query.set('view', 'list');
  else query.set(kind === 'road' ? 'roads' : 'controller', String(id));
  return `?${query.toString()}`;
}

/** The sun is down: by the night of most lamps, or, where it has none, by what is lit. */
function isNight({ night, energy }: Home, now: number): boolean {
  if (night.sunset === null || night.sunrise === null) return (energy.powerKw ?? 0) > 0 && night.onAt !== null;
  return now >= Date.parse(night.sunset) && now < Date.parse(night.sunrise);
}

/** The city as it is now in a small map, and the five worst places; each leads to its lamps on the map of the monitor. */
export function CityNow({ home, map }: { home: Home | undefined; map: ReturnType<typeof useCall<typeof getHomeMap>> }) {
  const { t, i18n } = useTranslation('home');
  const open = useOpen();
  const may = usePermission('lamp.monitor');
  const now = useNow(true, 60_000);
  const words = usePlaceWords();
  const data = map.data;
  const number = (value: number) => formatNumber(value, i18n.language, 0);
  const pins = useMemo(
    () =>
      (data?.places ?? []).flatMap((place, index) =>
        place.x === null || place.y === null
          ? []
          : [
              {
                x: place.x,
                y: place.y,
                number: index + 1,
                label: `${index + 1} · ${words.name(place)} · ${words.what(place)}`,
                ...(may ? { onOpen: () => open('lamp/monitor', { search: searchOf(place) }) } : {}),
              },
            ],
      ),
    [data, words, may, open],
  );
  return (
    <section className={styles.card} aria-labelledby="home-city">
      <header>
        <h2 id="home-city">{t('city.title')}</h2>
        <PageLink to="lamp/monitor">{t('city.open')}</PageLink>
      </header>
      {map.error && !data ? <ErrorState error={map.error} onRetry={map.refetch} /> : null}
      {map.error && !data ? null : (
        <div className={styles.both}>
          <div className={styles.map}>
            {data && home ? (
              <MiniMap
                map={data}
                night={isNight(home, now)}
                label={t('city.label', { lamps: number(home.lamps), n: data.places.length })}
                pins={pins}
              />
            ) : (
              <MapSkeleton />
            )}
            {data && data.unplaced > 0 ? (
              <small className={styles.unplaced}>{t('city.unplaced', { n: number(data.unplaced) })}</small>
            ) : null}
          </div>
          <div className={styles.places}>
            <h3>{t('places.title')}</h3>
            {data?.places.length === 0 ? <p>{t('places.none')}</p> : null}
            <ol>
              {data?.places.map((place, index) => (
                <li key={`${place.kind} ${place.id}`}>
                  <i aria-hidden>{index + 1}</i>
                  <div>
                    <span>
                      <PageLink to="lamp/monitor" options={{ search: searchOf(place) }}>
                        {words.name(place)}
                      </PageLink>
                    </span>
                    {place.since === null ? null : <RelativeTime at={place.since} />}
                    <small>
                      {words.what(place)} · {words.share(place)}
                    </small>
                  </div>
                </li>
              ))}
            </ol>
          </div>
        </div>
      )}
    </section>
  );
}

/** A place in words: its name, the worst that it has, and how many of its lamps. */
function usePlaceWords() {
  const { t, i18n } = useTranslation('home');
  const episodes = useEpisodeWords();
  const names = useNames();
  return useMemo(() => {
    const number = (value: number) => formatNumber(value, i18n.language, 0);
    const fault = (code: string) => names.fault(code);
    return {
      name: ({ kind, name }: Place): string =>
        kind === 'controller' ? t('places.controller', { code: name ?? '' }) : (name ?? t('places.noRoad')),
      what: ({ fault: code, count }: Place): string =>
        t('places.what', { n: number(count), what: code === null ? episodes.kind('offline') : fault(code) }),
      share: ({ affected, lamps }: Place): string => t('places.share', { n: number(affected), total: number(lamps) }),
    };
    // The words of a language are the same functions at each drawing.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [t, i18n.language, names]);
}
