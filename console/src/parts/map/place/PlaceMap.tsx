import { lazy, Suspense, type ReactNode } from 'react';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { loadChunk } from '../../../api/load-chunk.ts';
import { Icon } from '../../icons/Icon.tsx';
import type { BaseMapView } from '../base-maps/map-style.ts';
import { useWebGl } from '../webgl.ts';
import styles from './place-map.module.css';
import type { PlaceView } from './place-view.ts';

export interface PlacePin {
  readonly id: number;
  readonly longitude: number;
  readonly latitude: number;
  readonly label: string;
  /** Its number in a list beside the map. */
  readonly n?: number;
}

export interface PlaceMapProps {
  readonly pins: readonly PlacePin[];
  /** What the map shows, for people who do not see it. */
  readonly label: string;
  /** Where it begins, and goes to when it changes; absent: at the pins. */
  readonly start?: { readonly longitude: number; readonly latitude: number; readonly zoom: number } | undefined;
  /** A particular base map instead of the account's own, and why it does not come. */
  readonly shown?: { readonly base: BaseMapView | null; readonly failure: string | null } | undefined;
  readonly onMoved?: (at: { readonly longitude: number; readonly latitude: number; readonly zoom: number }) => void;
  readonly className?: string | undefined;
  /** The living map, for what is drawn over it; null when it goes. */
  readonly onView?: (view: PlaceView | null) => void;
  /** Instead of a map where the browser cannot draw one, and until it is there. */
  readonly fallback: ReactNode;
}

const Living = lazy(() => loadChunk('map', () => import('./LivingPlaceMap.tsx')));

/**
 * A small map of places in WGS-84 on the account's base map: on a device's or a pole's page, beside an import, at a
 * test of the map service.
 */
export function PlaceMap(props: PlaceMapProps) {
  const { t } = useTranslation('parts');
  const [can, again] = useWebGl();
  if (!can)
    return (
      <>
        {props.fallback}
        <div className={styles.again}>
          <Button size="small" icon={<Icon name="retry" size={13} />} onClick={again}>
            {t('error.retry')}
          </Button>
        </div>
      </>
    );
  return (
    <Suspense fallback={props.fallback}>
      <Living {...props} />
    </Suspense>
  );
}
