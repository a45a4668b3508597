import { useMemo } from 'react';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { getBaseMap } from '../../../../../contract/shell/demo.ts';
import { useCall } from '../../../api/index.ts';
import { Icon } from '../../../parts/index.ts';
import type { BaseMapSetting } from './map-values.ts';
import styles from './base-maps.module.css';

type Ground = ReplyOf<typeof getBaseMap>;
const [width, height] = [72, 44];
/** Widths of roads in the picture, pixels by class. */
const roadWidths: Readonly<Record<string, number>> = { main: 1.6, secondary: 1, branch: 0.5, path: 0.3 };
const fills: Readonly<Record<string, string>> = {
  water: 'var(--m-water)',
  park: 'var(--m-park)',
  block: 'var(--m-block)',
};

/**
 * A base map as a small picture, drawn from what is here: the ground of the city, the grid. A service or an archive is
 * a sign: nothing is fetched for the picture.
 */
export function Thumb({ kind }: Pick<BaseMapSetting, 'kind'>) {
  const ground = useCall(getBaseMap, undefined, { staleTime: Infinity, enabled: kind === 'ground' });
  return (
    <span className={styles.thumb} data-kind={kind} aria-hidden>
      {kind === 'ground' ? <Picture ground={ground.data} /> : kind === 'grid' ? null : <Icon name="layers" size={18} />}
    </span>
  );
}

function Picture({ ground }: { ground: Ground | undefined }) {
  const shapes = useMemo(() => (ground?.bbox ? shapesOf(ground, ground.bbox) : []), [ground]);
  return (
    <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} preserveAspectRatio="xMidYMid slice">
      {shapes.map(({ d, fill, stroke, strokeWidth }, index) => (
        <path key={index} d={d} fill={fill} stroke={stroke} strokeWidth={strokeWidth} />
      ))}
    </svg>
  );
}

/** Paths of water, parks, blocks and roads within a box of degrees, which fills the picture. */
function shapesOf({ features }: Ground, [west = 0, south = 0, east = 1, north = 1]: readonly number[]) {
  const squeeze = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const scale = Math.max(width / ((east - west) * squeeze), height / (north - south));
  const [midX, midY] = [(west + east) / 2, (south + north) / 2];
  const line = (points: readonly (readonly number[])[]): string =>
    points
      .map(([x = 0, y = 0], index) => {
        const at = `${(width / 2 + (x - midX) * squeeze * scale).toFixed(1)} ${(height / 2 - (y - midY) * scale).toFixed(1)}`;
        return `${index === 0 ? 'M' : 'L'}${at}`;
      })
      .join('');
  return features.flatMap(({ properties, geometry }) => {
    if (properties.layer === 'building') return [];
    if (geometry.type === 'Polygon')
      return [
        {
          d: `${geometry.coordinates.map(line).join('Z')}Z`,
          fill: fills[properties.layer] ?? 'none',
          stroke: 'none',
          strokeWidth: 0,
        },
      ];
    const strokeWidth = roadWidths[properties.class ?? 'branch'] ?? 0.5;
    return [{ d: line(geometry.coordinates), fill: 'none', stroke: 'var(--m-road)', strokeWidth }];
  });
}
