/** What a camera wrote beside a JPEG that is worth keeping. */
export interface Exif {
  /** `YYYY-MM-DDTHH:MM:SS`, the clock of the place. */
  readonly takenAt: string | null;
  /** WGS-84 degrees. */
  readonly longitude: number | null;
  readonly latitude: number | null;
}

const nothing: Exif = { takenAt: null, longitude: null, latitude: null };
const tags = { exif: 0x8769, gps: 0x8825, changed: 0x0132, taken: 0x9003 } as const;
const bytesOf: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8 };
const mostEntries = 200;

/** Reads the Exif part of a JPEG; whatever is damaged or strange counts as not there. Never throws. */
export function readExif(jpeg: Buffer): Exif {
  try {
    const tiff = exifPart(jpeg);
    return tiff ? readTiff(tiff) : nothing;
  } catch {
    return nothing;
  }
}

function exifPart(jpeg: Buffer): Buffer | undefined {
  for (let at = 2; at + 10 < jpeg.length && jpeg[at] === 0xff && jpeg[at + 1] !== 0xda;) {
    const length = jpeg.readUInt16BE(at + 2);
    if (jpeg[at + 1] === 0xe1 && jpeg.toString('latin1', at + 4, at + 10) === 'Exif\0\0')
      return jpeg.subarray(at + 10, at + 2 + length);
    at += 2 + length;
  }
  return undefined;
}

type Entry = readonly number[] | string;

function readTiff(tiff: Buffer): Exif {
  const little = tiff.toString('latin1', 0, 2) === 'II';
  const u16 = (at: number): number => (little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const u32 = (at: number): number => (little ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  const valueAt = (type: number, count: number, at: number): Entry => {
    if (type === 2) return tiff.toString('latin1', at, at + count).replace(/\0.*$/s, '');
    return Array.from({ length: count }, (_, index) => {
      const place = at + index * (bytesOf[type] ?? 1);
      return type === 5
        ? u32(place) / u32(place + 4)
        : type === 3
          ? u16(place)
          : type === 4
            ? u32(place)
            : tiff.readUInt8(place);
    });
  };
  const directory = (from: number): ReadonlyMap<number, Entry> =>
    new Map(
      Array.from({ length: Math.min(u16(from), mostEntries) }, (_, index) => from + 2 + index * 12).flatMap((at) => {
        const [type, count] = [u16(at + 2), u32(at + 4)];
        const size = (bytesOf[type] ?? 0) * count;
        return size === 0 || size > 64
          ? []
          : [[u16(at), valueAt(type, count, size > 4 ? u32(at + 8) : at + 8)] as const];
      }),
    );
  const main = directory(u32(4));
  const below = (tag: number): ReadonlyMap<number, Entry> => {
    const at = main.get(tag)?.[0];
    return typeof at === 'number' ? directory(at) : new Map();
  };
  const place = below(tags.gps);
  const [latitude, longitude] = [
    degrees(place.get(2), place.get(1), 'S', 90),
    degrees(place.get(4), place.get(3), 'W', 180),
  ];
  const both = latitude !== null && longitude !== null && !(latitude === 0 && longitude === 0);
  return {
    takenAt: timeOf(below(tags.exif).get(tags.taken) ?? main.get(tags.changed)),
    latitude: both ? latitude : null,
    longitude: both ? longitude : null,
  };
}

function degrees(parts: Entry | undefined, side: Entry | undefined, negative: string, most: number): number | null {
  if (parts === undefined || typeof parts === 'string' || parts.length !== 3) return null;
  const value = (parts[0] ?? 0) + (parts[1] ?? 0) / 60 + (parts[2] ?? 0) / 3600;
  return Number.isFinite(value) && value <= most ? Math.round((side === negative ? -value : value) * 1e6) / 1e6 : null;
}

/** Cameras without a clock write zeros or blanks. */
function timeOf(text: Entry | undefined): string | null {
  const found = typeof text === 'string' ? /^(\d{4}):(\d\d):(\d\d) (\d\d):(\d\d):(\d\d)$/.exec(text) : null;
  if (!found) return null;
  const [, year = '', month, day, hour, minute, second] = found;
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const at = new Date(`${iso}Z`);
  return Number(year) >= 1990 && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(iso) ? iso : null;
}
