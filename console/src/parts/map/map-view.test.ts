import type { CustomLayerInterface, CustomRenderMethodInput, Map as MapLibreMap } from 'maplibre-gl';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { lampMap, withMaps } from '../../testing/still-map.ts';
import { CloseUp } from './close-up.ts';
import { mapColours } from './colours.ts';
import { PointGrid } from './grid.ts';
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

describe('the close-up', () => {
  interface Written {
    readonly features: readonly { readonly properties: { readonly code: string } }[];
  }

  /** A map seen from near that keeps which codes were written, and draws a frame when it is told to. */
  function nearMap() {
    const layers = new Map<string, { readonly id: string } & Partial<CustomLayerInterface>>();
    const written: (readonly string[])[] = [];
    const repaint = vi.fn();
    let hasSource = false;
    const source = {
      setData: ({ features }: Written) => written.push(features.map(({ properties }) => properties.code)),
    };
    const map = {
      on: () => ({ unsubscribe: () => undefined }),
      getZoom: () => 18,
      getBounds: () => ({ getWest: () => 120.1, getEast: () => 120.3, getNorth: () => 30.3, getSouth: () => 30.1 }),
      getLayer: (id: string) => layers.get(id),
      addLayer: (layer: { readonly id: string }) => layers.set(layer.id, layer),
      removeLayer: (id: string) => layers.delete(id),
      moveLayer: () => undefined,
      getSource: () => (hasSource ? source : undefined),
      addSource: () => (hasSource = true),
      triggerRepaint: repaint,
    } as unknown as MapLibreMap;
    const frame = (): void =>
      layers.get('lamp-pools')?.prerender?.({} as WebGL2RenderingContext, {} as CustomRenderMethodInput);
    const closeUp = new CloseUp(map);
    const show = (field: LampField): void => {
      const grid = new PointGrid(field.positions);
      closeUp.show({
        field,
        grid,
        ground: { type: 'FeatureCollection', features: [] },
        colours: mapColours(true, ['sans-serif']),
      });
      closeUp.write((index) => ({ code: field.codes[index]!, state: '', tint: '' }), null);
    };
    return { closeUp, show, frame, written, repaint };
  }
  const lamps = (): LampField => new LampField(lampMap(3));

  test('the filters of new lamps come before their first frame: nothing hidden is written, and nothing twice', () => {
    const { show, frame, written, repaint } = nearMap();
    const field = lamps();
    show(field);
    expect(repaint).toHaveBeenCalled();
    field.filter(new Set([2]), null);
    frame();
    frame();
    expect(written).toEqual([['BJ-0002']]);
  });

  test('other filters reach the next frame, whoever asked for it; a hidden map waits until it is shown', () => {
    const { closeUp, show, frame, written } = nearMap();
    const field = lamps();
    show(field);
    frame();
    field.filter(new Set([3]), null);
    frame();
    expect(written).toEqual([['BJ-0001', 'BJ-0002', 'BJ-0003'], ['BJ-0003']]);
    closeUp.paused = true;
    field.filter(new Set([1]), null);
    frame();
    expect(written.length).toBe(2);
    closeUp.paused = false;
    frame();
    expect(written.at(-1)).toEqual(['BJ-0001']);
  });

  test('codes of lamps that are gone go with them', () => {
    const { show, frame, written } = nearMap();
    show(lamps());
    frame();
    const others = lamps();
    others.filter(new Set(), null);
    show(others);
    frame();
    expect(written.at(-1)).toEqual([]);
  });
});
