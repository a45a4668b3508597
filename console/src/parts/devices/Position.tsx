import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { Card, Empty, Icon } from '../index.ts';
import { PlaceMap } from '../map/place/PlaceMap.tsx';
import type { Device } from './device-state.tsx';
import styles from './device.module.css';

const [width, height] = [320, 150];
const grid = Array.from({ length: 21 }, (_, index) => (index - 10) * 32);

/** Where it stands; the telephone's own map leads there. */
export function Position({ device }: { device: Device }) {
  const { t } = useTranslation('devices');
  const [longitude, latitude] = (device.latchedPosition ?? '').split(', ');
  if (!longitude || !latitude)
    return (
      <Card title={t('position.title')}>
        <Empty title={t('position.none')} text={t('position.noneText')} />
      </Card>
    );
  const code = String(device['equipmentCode']);
  return (
    <Card
      title={t('position.title')}
      extra={
        <span className="code">
          {latitude}, {longitude}
        </span>
      }
    >
      <PlaceMap
        className={styles.placeMap}
        label={t('position.map', { code, latitude, longitude })}
        pins={[{ id: Number(device['id']), longitude: Number(longitude), latitude: Number(latitude), label: '' }]}
        fallback={<Plan label={t('position.map', { code, latitude, longitude })} />}
      />
      <Button
        className={styles.navigate ?? ''}
        icon={<Icon name="navigate" size={14} />}
        href={`geo:${latitude},${longitude}?q=${latitude},${longitude}(${encodeURIComponent(code)})`}
      >
        {t('position.navigate')}
      </Button>
    </Card>
  );
}

/** The plain grid of 20 m, where the browser draws no map. */
const Plan = ({ label }: { label: string }) => (
  <svg className={styles.plan} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
    <g transform={`translate(${width / 2} ${height / 2 + 14})`}>
      <g className={styles.planGrid}>
        {grid.map((at) => (
          <g key={at}>
            <line x1={at} x2={at} y1={-height} y2={height} />
            <line y1={at} y2={at} x1={-width} x2={width} />
          </g>
        ))}
      </g>
      <ellipse className={styles.planShadow} rx="9" ry="3.5" />
      <path className={styles.planPin} d="M0 0C-7 -9 -11 -14 -11 -21a11 11 0 0 1 22 0c0 7 -4 12 -11 21z" />
      <circle className={styles.planHole} cy="-21" r="4" />
    </g>
    <g className={styles.planScale} transform={`translate(14 ${height - 12})`}>
      <path d="M0 -5V0H32V-5" />
      <text x="40" y="2">
        20 m
      </text>
    </g>
    <text className={styles.planNorth} x={width - 24} y="22" textAnchor="middle">
      N ↑
    </text>
  </svg>
);
