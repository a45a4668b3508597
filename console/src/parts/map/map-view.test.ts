import { afterEach, expect, test, vi } from 'vitest';
import { lampMap, withMaps } from '../../testing/still-map.ts';
import { LampField } from './lamp-field.ts';
import { MapView } from './map-view.ts';

vi.mock('maplibre-gl', () => import('../../testing/still-map.ts'));
afterEach(() => vi.restoreAllMocks());

test('a map whose lamps lie 50 m apart opens from near before its style is loaded', () => {
  withMaps();
  const columns = lampMap(3, 0.0005);
  const view = new MapView({
    container: document.createElement('div'),
    ground: { type: 'FeatureCollection', features: [] },
    field: new LampField(columns),
    night: true,
    reducedMotion: true,
    label: '地图',
    onBox: () => undefined,
  });
  expect(view.map.getZoom()).toBeGreaterThan(15.6);
  expect(() => view.resume()).not.toThrow();
});
