import type { GeographicSystem } from './coordinates.ts';

/** Kinds of base map: two that need no service, the site's own tiles, and providers with known addresses. */
export const baseMapKinds = ['ground', 'grid', 'xyz', 'pmtiles', 'tianditu', 'amap'] as const;
export type BaseMapKind = (typeof baseMapKinds)[number];

/** A map provider: the addresses of its tiles are known, only the key is the site's own. */
export interface Provider {
  readonly system: GeographicSystem;
  /** Layer addresses by style, the lowest layer first. `{a-c}` and `{0-7}` stand for hosts that share the load. */
  readonly styles: Readonly<Record<string, readonly string[]>>;
  readonly minZoom: number;
  readonly maxZoom: number;
  readonly tileSize: 256 | 512;
  readonly attribution: string;
}

const tianditu = (layer: string): string =>
  `https://t{0-7}.tianditu.gov.cn/${layer}_w/wmts?SERVICE=WMTS&REQUEST=GetTile&VERSION=1.0.0&LAYER=${layer}&STYLE=default&TILEMATRIXSET=w&FORMAT=tiles&TILEMATRIX={z}&TILEROW={y}&TILECOL={x}&tk={key}`;
const amapRoads = (style: number): string =>
  `https://webrd0{1-4}.is.autonavi.com/appmaptile?lang=zh_cn&size=1&scale=1&style=${style}&x={x}&y={y}&z={z}&key={key}`;
const amapPictures = (style: number): string =>
  `https://webst0{1-4}.is.autonavi.com/appmaptile?style=${style}&x={x}&y={y}&z={z}&key={key}`;

export const providers = {
  // CGCS2000 differs from WGS-84 by centimetres.
  tianditu: {
    system: 'WGS84',
    minZoom: 1,
    maxZoom: 18,
    tileSize: 256,
    attribution: '© 天地图',
    styles: {
      vec: [tianditu('vec'), tianditu('cva')],
      img: [tianditu('img'), tianditu('cia')],
      ter: [tianditu('ter'), tianditu('cta')],
    },
  },
  amap: {
    system: 'GCJ02',
    minZoom: 3,
    maxZoom: 18,
    tileSize: 256,
    attribution: '© 高德地图 AutoNavi',
    styles: { vec: [amapRoads(8)], img: [amapPictures(6), amapPictures(8)] },
  },
} as const satisfies Partial<Record<BaseMapKind, Provider>>;

export type ProviderKind = keyof typeof providers;
export const isProvider = (kind: string): kind is ProviderKind => Object.hasOwn(providers, kind);
/** The styles of a provider by name; empty for other kinds. */
export const stylesOf = (kind: string): Readonly<Record<string, readonly string[]>> =>
  isProvider(kind) ? providers[kind].styles : {};
/** Whether the tiles of this kind come from a service or an archive. */
export const asksService = (kind: string): boolean => kind !== 'ground' && kind !== 'grid';

/** The tile of a Web-Mercator pyramid that contains a place. */
export function tileAt(
  longitude: number,
  latitude: number,
  zoom: number,
): { readonly z: number; readonly x: number; readonly y: number } {
  const tiles = 2 ** zoom;
  const sine = Math.sin((Math.max(-85.05, Math.min(85.05, latitude)) * Math.PI) / 180);
  const whole = (value: number): number => Math.max(0, Math.min(tiles - 1, Math.floor(value * tiles)));
  return {
    z: zoom,
    x: whole((longitude + 180) / 360),
    y: whole(0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)),
  };
}

/** Placeholders of a tile address. */
const placeholders = /\{(z|x|y|-y|s|key|[a-z]-[a-z]|\d-\d)\}/g;

/** Why a tile address is refused; undefined: it is valid. */
export function addressProblem(address: string): 'scheme' | 'places' | 'unknown' | 'host' | undefined {
  if (!/^https?:\/\/[^\s]+$/.test(address)) return 'scheme';
  if (!/\{z\}/.test(address) || !/\{x\}/.test(address) || !/\{-?y\}/.test(address)) return 'places';
  if (/[{}]/.test(address.replaceAll(placeholders, ''))) return 'unknown';
  // Only the settings decide which host is asked; the key and the tile do not.
  const host = /^https?:\/\/([^/?#]*)/.exec(address)?.[1] ?? '';
  return /\{(z|x|y|-y|key)\}/.test(host) ||
    host.includes('@') ||
    !URL.canParse(filledAddress(address, { z: 0, x: 0, y: 0 }, ''))
    ? 'host'
    : undefined;
}

/**
 * The address of one tile. Neighbouring tiles use different hosts if there are several; one tile always uses the same.
 */
export function filledAddress(address: string, { z, x, y }: { z: number; x: number; y: number }, key: string): string {
  return address.replaceAll(placeholders, (_whole, name: string) => {
    switch (name) {
      case 'z':
        return String(z);
      case 'x':
        return String(x);
      case 'y':
        return String(y);
      case '-y':
        return String(2 ** z - 1 - y);
      case 'key':
        return encodeURIComponent(key);
      default: {
        const [from, to] = name === 's' ? ['a', 'c'] : [name.slice(0, 1), name.slice(-1)];
        const first = from.charCodeAt(0);
        return String.fromCharCode(first + ((x + y) % Math.max(1, to.charCodeAt(0) - first + 1)));
      }
    }
  });
}
