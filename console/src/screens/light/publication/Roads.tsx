import { Button, Segmented } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadChunk } from '../../../api/load-chunk.ts';
import { Card, Icon, Skeleton } from '../../../parts/index.ts';
import { useAddress } from '../../../parts/page/use-address.ts';
import { LampBar } from '../../../parts/publishing/LampBar.tsx';
import { usePublicationWords, type PublicationLampState } from '../../../parts/publishing/words.ts';
import type { OpenPublication } from './index.tsx';
import styles from './publication.module.css';

const RoadMap = lazy(() => loadChunk('map', () => import('./RoadMap.tsx')));

type Road = OpenPublication['roads'][number];
const views = ['table', 'map'] as const;
type View = (typeof views)[number];
/** So many are shown at first. */
const atFirst = 8;

const of = ({ states }: Road, ...names: readonly string[]): number =>
  names.reduce((sum, name) => sum + (states[name] ?? 0), 0);
const missed = (road: Road): number => of(road, 'diverged', 'away', 'cannot');

interface Props {
  id: number;
  roads: readonly Road[];
  /** The road that the lamps below are narrowed to. */
  chosen: number | null;
  onChoose: (roadId: number | null) => void;
  /** A road and one of its states. */
  onPick: (roadId: number, state: PublicationLampState) => void;
}

/** How far each road got, as a table or on the map; one chosen narrows the lamps to it. */
export function Roads({ id, roads, chosen, onChoose, onPick }: Props) {
  const { t } = useTranslation('publishing');
  const words = usePublicationWords();
  const [params, change] = useAddress();
  const view: View = params.get('roads') === 'map' ? 'map' : 'table';
  return (
    <Card
      title={t('roads.title', { n: words.number(roads.length) })}
      extra={
        <Segmented<View>
          value={view}
          aria-label={t('roads.view')}
          options={views.map((value) => ({ value, label: t(`roads.view.${value}`) }))}
          onChange={(next) => change({ roads: next === 'map' ? next : null })}
        />
      }
      flush={view === 'table'}
    >
      {view === 'map' ? (
        <Suspense fallback={<Skeleton rows={6} height={360} />}>
          <RoadMap id={id} roads={roads} chosen={chosen} onPick={onPick} />
        </Suspense>
      ) : (
        <RoadTable roads={roads} chosen={chosen} onChoose={onChoose} />
      )}
    </Card>
  );
}

/** Those with something to look at first. */
function RoadTable({ roads, chosen, onChoose }: Pick<Props, 'roads' | 'chosen' | 'onChoose'>) {
  const { t } = useTranslation('publishing');
  const words = usePublicationWords();
  const [all, setAll] = useState(false);
  const sorted = roads.toSorted((one, other) => missed(other) - missed(one) || other.total - one.total);
  const shown = all ? sorted : sorted.filter((road, index) => index < atFirst || road.roadId === chosen);
  return (
    <>
      <table className={styles.roads}>
        <thead>
          <tr>
            <th scope="col">{t('roads.road')}</th>
            <th scope="col">{t('roads.progress')}</th>
            <th scope="col" data-number>
              {words.state('proven')}
            </th>
            <th scope="col" data-number>
              {t('roads.missed')}
            </th>
            <th scope="col" data-number>
              {t('roads.total')}
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((road) => (
            <tr key={road.roadId ?? 0} data-chosen={(road.roadId !== null && road.roadId === chosen) || undefined}>
              <th scope="row">
                {road.roadId === null ? (
                  t('roads.none')
                ) : (
                  <button
                    type="button"
                    className={styles.link}
                    aria-pressed={road.roadId === chosen}
                    title={t('roads.only', { name: road.name ?? '—' })}
                    onClick={() => onChoose(road.roadId === chosen ? null : road.roadId)}
                  >
                    {road.name ?? '—'}
                  </button>
                )}
              </th>
              <td>
                <LampBar states={road.states} />
              </td>
              <td data-number data-label={words.state('proven')}>
                {words.number(of(road, 'proven'))}
              </td>
              <td data-number data-label={t('roads.missed')} data-bad={missed(road) > 0 || undefined}>
                {words.number(missed(road))}
              </td>
              <td data-number data-label={t('roads.total')}>
                {words.number(road.total)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {roads.length > atFirst ? (
        <div className={styles.more}>
          <Button
            type="text"
            aria-expanded={all}
            icon={<Icon name={all ? 'up' : 'down'} size={13} />}
            onClick={() => setAll(!all)}
          >
            {all ? t('roads.fewer') : t('roads.all', { n: words.number(roads.length) })}
          </Button>
        </div>
      ) : null}
    </>
  );
}
