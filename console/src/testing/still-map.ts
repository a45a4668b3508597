import { onTestFinished, vi } from 'vitest';
import type { getLampMap } from '../../../contract/light/lamps.ts';
import type { ReplyOf } from '../../../contract/route.ts';

/** A place of the earth on the canvas: 0.0001° is one pixel. */
const perDegree = 10_000;
const [west, north] = [120, 30.5];
type Handler = (event: unknown) => void;
type Bounds = readonly number[];

const made: StillMap[] = [];

/**
 * In the place of MapLibre, which needs a graphics card: a map that never loads a style nor draws. It answers where
 * places are, hands out the events that a test fires, and keeps what it was fitted to. A file takes it by
 * `vi.mock('maplibre-gl', () => import('…/testing/still-map.ts'))`.
 */
class StillMap {
  readonly fits: Bounds[] = [];
  readonly touchZoomRotate = { disableRotation: () => undefined };
  readonly keyboard = { disableRotation: () => undefined };
  private readonly canvas = document.createElement('canvas');
  private readonly container = document.createElement('div');
  private readonly handlers = new Map<string, Set<Handler>>();

  constructor(options: { container: HTMLElement }) {
    options.container.append(this.container);
    this.container.append(this.canvas);
    made.push(this);
  }
  on(type: string, handler: Handler): { unsubscribe: () => void } {
    const all = this.handlers.get(type) ?? new Set();
    this.handlers.set(type, all.add(handler));
    return { unsubscribe: () => all.delete(handler) };
  }
  private fire(type: string, event: unknown = {}): void {
    for (const handler of this.handlers.get(type) ?? []) handler(event);
  }
  click(longitude: number, latitude: number): void {
    this.fire('click', { point: this.project([longitude, latitude]), originalEvent: { target: this.canvas } });
  }
  /** As in MapLibre a resize moves the map at once, also before its style is loaded. */
  resize(): void {
    this.fire('move');
    this.fire('moveend');
  }
  fitBounds(bounds: Bounds): void {
    this.fits.push(bounds);
  }
  project([longitude, latitude]: readonly [number, number]): { x: number; y: number } {
    return { x: (longitude - west) * perDegree, y: (north - latitude) * perDegree };
  }
  unproject([x, y]: readonly [number, number]): { lng: number; lat: number } {
    return { lng: west + x / perDegree, lat: north - y / perDegree };
  }
  getCanvas = (): HTMLCanvasElement => this.canvas;
  getCanvasContainer = (): HTMLElement => this.container;
  getZoom = (): number => 16;
  getCenter = (): { lng: number; lat: number } => ({ lng: 120.2, lat: 30.2 });
  getBounds = (): object => ({
    getWest: () => west,
    getEast: () => west + 0.1,
    getNorth: () => north,
    getSouth: () => north - 0.1,
  });
  getLayer = (): undefined => undefined;
  getSource = (): undefined => undefined;
  setStyle = (): void => undefined;
  flyTo = (): void => undefined;
  remove = (): void => undefined;
}

export { StillMap as Map };
export const setWorkerUrl = (): void => undefined;
export const addProtocol = (): void => undefined;

/** Until the test is over the browser can draw maps; answers with the map that was made last. */
export function withMaps(): () => StillMap {
  const context = vi
    .spyOn(HTMLCanvasElement.prototype, 'getContext')
    .mockImplementation((kind: string) => (kind === 'webgl2' ? { getExtension: () => null } : null) as never);
  onTestFinished(() => context.mockRestore());
  return () => {
    const last = made.at(-1);
    if (!last) throw new Error('no map was made');
    return last;
  };
}

/** Lamps 1 to `count`, `apart` degrees apart from 120.2, 30.2 to the east. */
export function lampMap(count: number, apart = 0.001): ReplyOf<typeof getLampMap> {
  const each = <T>(make: (place: number) => T): T[] => Array.from({ length: count }, (_, place) => make(place));
  return {
    at: '2026-11-20T13:46:31.000Z',
    ids: each((place) => place + 1),
    codes: each((place) => `BJ-000${place + 1}`),
    longitudes: each((place) => 120.2 + place * apart),
    latitudes: each(() => 30.2),
    ratedWatts: each(() => 120),
    cct: each(() => 3000),
    states: each(() => 0),
    levels: each(() => 100),
    poleIds: each((place) => place + 1),
    unplaced: 0,
  };
}
