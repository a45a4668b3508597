import { Button } from 'antd';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../locales/format-number.ts';
import { PlacePicker, type Place } from '../commands/PlacePicker.tsx';
import styles from './choose-lamps.module.css';
import { LampsOnMap } from './LampsOnMap.tsx';

interface Props {
  place: Place;
  onPlace: (place: Place) => void;
  /** Chosen on the map; with some the place does not count. */
  lamps: readonly number[];
  onLamps: (ids: readonly number[]) => void;
  /** The id of the text that says what is wrong. */
  problem?: string | undefined;
}

/** The lamps of a road, group, box or area, or those that were chosen on the map. */
export function PlaceOrMap({ place, onPlace, lamps, onLamps, problem }: Props) {
  return (
    <>
      {lamps.length > 0 ? null : <PlacePicker value={place} onChange={onPlace} problem={problem} />}
      {/* Its words may still be on their way: the form does not go away for that. */}
      <Suspense fallback={null}>
        <OnMap lamps={lamps} onLamps={onLamps} />
      </Suspense>
    </>
  );
}

function OnMap({ lamps, onLamps }: Pick<Props, 'lamps' | 'onLamps'>) {
  const { t, i18n } = useTranslation('choose-lamps');
  return (
    <div className={styles.chosen}>
      {lamps.length > 0 ? (
        <span role="status">{t('count', { n: formatNumber(lamps.length, i18n.language, 0) })}</span>
      ) : null}
      <LampsOnMap chosen={lamps} onChange={onLamps} />
      {lamps.length > 0 ? (
        <Button type="text" onClick={() => onLamps([])}>
          {t('otherwise')}
        </Button>
      ) : null}
    </div>
  );
}
