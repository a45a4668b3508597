/**
 * Web-Mercator positions relative to a local origin. The unit is one pixel of a 512 px world at zoom 20 (about 7 cm at
 * the equator), so that a city fits into 32-bit floats without jitter; y grows southwards.
 */
const unitZoom = 20;
const worldSize = 512 * 2 ** unitZoom;

/** Mercator x and y in 0…1 of a WGS-84 position. */
export function mercator(longitude: number, latitude: number): [number, number] {
  const sine = Math.sin((Math.max(-85.05, Math.min(85.05, latitude)) * Math.PI) / 180);
  return [longitude / 360 + 0.5, 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)];
}

/** The WGS-84 position of Mercator x and y in 0…1. */
export function fromMercator(x: number, y: number): [number, number] {
  return [(x - 0.5) * 360, (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI];
}

export class MercatorLocal {
  /** The origin in Mercator 0…1, double precision. */
  readonly originX: number;
  readonly originY: number;
  /** Mercator length of one local unit. */
  readonly unit = 1 / worldSize;

  constructor(longitude: number, latitude: number) {
    [this.originX, this.originY] = mercator(longitude, latitude);
  }

  /** An origin in the middle of the given positions; 0, 0 when there are none. */
  static around(longitudes: readonly number[], latitudes: readonly number[]): MercatorLocal {
    const middle = (values: readonly number[]): number => {
      let low = Infinity;
      let high = -Infinity;
      for (const value of values) {
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
      return low === Infinity ? 0 : (low + high) / 2;
    };
    return new MercatorLocal(middle(longitudes), middle(latitudes));
  }

  toLocal(longitude: number, latitude: number): [number, number] {
    const [x, y] = mercator(longitude, latitude);
    return [(x - this.originX) * worldSize, (y - this.originY) * worldSize];
  }

  toLngLat(x: number, y: number): [number, number] {
    return fromMercator(this.originX + x / worldSize, this.originY + y / worldSize);
  }

  /** CSS pixels of one local unit at this zoom. */
  static pixelsPerUnit(zoom: number): number {
    return 2 ** (zoom - unitZoom);
  }
}

/** CSS pixels of one metre at this zoom and latitude. */
export function pixelsPerMetre(zoom: number, latitude: number): number {
  return (512 * 2 ** zoom) / (40_075_016.686 * Math.cos((latitude * Math.PI) / 180));
}
