import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon, type IconName } from '../icons/Icon.tsx';
import { formatNumber } from '../../locales/format-number.ts';
import styles from './MapCanvas.module.css';
import type { MapView } from './map-view.ts';
import { pixelsPerMetre } from './mercator.ts';

interface MapControlsProps {
  view: MapView;
  right: number;
  onFit: () => void;
  boxing: boolean;
  /** Absent: nothing may be selected. */
  onBoxing?: ((boxing: boolean) => void) | undefined;
  /** More buttons, above the others. */
  children?: ReactNode;
}

export function MapControls({ view, right, onFit, boxing, onBoxing, children }: MapControlsProps) {
  const { t } = useTranslation('lamp');
  const button = (icon: IconName, label: string, onClick: () => void, pressed?: boolean) => (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onClick}
      {...(pressed === undefined ? {} : { 'aria-pressed': pressed })}
    >
      <Icon name={icon} size={16} />
    </button>
  );
  return (
    <>
      <div
        className={styles.controls}
        style={{ right: right + 16 }}
        role="toolbar"
        aria-orientation="vertical"
        aria-label={t('map.controls')}
      >
        {children}
        {button('plus', t('map.zoomIn'), () => view.zoomBy(1))}
        {button('minus', t('map.zoomOut'), () => view.zoomBy(-1))}
        {button('target', t('map.fit'), onFit)}
        {onBoxing ? button('expand', t('map.box'), () => onBoxing(!boxing), boxing) : null}
      </div>
      <ScaleBar view={view} />
    </>
  );
}

const steps = [1, 2, 5];

/** The longest round length of at most 110 px. */
export function scaleStep(pixelsOfOneMetre: number, widest = 110): { metres: number; pixels: number } {
  const most = widest / pixelsOfOneMetre;
  const power = 10 ** Math.floor(Math.log10(most));
  const metres = (steps.findLast((step) => step * power <= most) ?? 1) * power;
  return { metres, pixels: metres * pixelsOfOneMetre };
}

type Zoomed = Pick<MapView, 'map'>;
const scaleOf = ({ map }: Zoomed) => scaleStep(pixelsPerMetre(map.getZoom(), map.getCenter().lat));

/** How long a round length is here. */
export function ScaleBar({ view }: { view: Zoomed }) {
  const { i18n } = useTranslation('lamp');
  const [scale, setScale] = useState(() => scaleOf(view));
  useEffect(() => {
    const take = () => setScale(scaleOf(view));
    take();
    const stop = view.map.on('zoom', take);
    return () => stop.unsubscribe();
  }, [view]);
  const text =
    scale.metres >= 1000
      ? `${formatNumber(scale.metres / 1000, i18n.language, 0)} km`
      : `${formatNumber(scale.metres, i18n.language, 0)} m`;
  return (
    <div className={styles.scale}>
      <i style={{ width: Math.round(scale.pixels) }} />
      {text}
    </div>
  );
}
