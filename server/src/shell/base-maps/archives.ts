import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Compression, PMTiles, SharedPromiseCache, TileType, type DecompressFunc, type Source } from 'pmtiles';
import type { Files } from '../../platform/files/index.ts';
import { askOutside, OutboundError, type Reach } from '../../platform/outbound/index.ts';

/** Where an archive is: a file of this server, or an address that answers ranges. */
export type ArchivePlace = { readonly file: string } | { readonly address: string; readonly reach: Reach };

export interface ArchiveFacts {
  readonly format: 'raster' | 'vector';
  readonly minZoom: number;
  readonly maxZoom: number;
  readonly bounds: readonly [west: number, south: number, east: number, north: number];
  readonly attribution: string | null;
}

/** What is wrong with an archive itself. */
export class ArchiveError extends Error {}
/** Another archive than the one whose directories are remembered is at the address by now. */
class Replaced extends Error {}

const rangeTimeoutMs = 10_000;
/** Directories and tiles; nobody's single range is larger. */
const longestRange = 16 * 1024 * 1024;
/** Of a directory, unpacked: each of its bytes may become an entry, so a small file could fill the memory. */
const longestDirectory = 4 * 1024 * 1024;
/**
 * Directories of so many archives are remembered; a file's name is its content, an address is read anew after this
 * long.
 */
const mostOpen = 8;
const addressStaleMs = 10 * 60_000;

const buffered = (bytes: Buffer): ArrayBuffer => new Uint8Array(bytes).buffer;
const unpack = promisify(gunzip);

/** Unpacks up to a length: what unpacks to more is not read any further. */
const unpackedTo =
  (maxOutputLength: number): DecompressFunc =>
  async (bytes, packing) => {
    if (packing === Compression.Gzip) return buffered(await unpack(bytes, { maxOutputLength }));
    if (packing !== Compression.None && packing !== Compression.Unknown)
      throw new ArchiveError('packed in an unknown way');
    if (bytes.byteLength > maxOutputLength)
      throw new ArchiveError(`${bytes.byteLength} bytes where ${maxOutputLength} are the most`);
    return bytes;
  };

/** What stands for the bytes of an answer; a weak one only says that they mean the same. */
const markOf = (etag: string | null): string | undefined => (etag === null || etag.startsWith('W/') ? undefined : etag);

function sourceOf(place: ArchivePlace, files: Files): Source {
  const checked = (length: number) => {
    if (length > longestRange) throw new ArchiveError(`a range of ${length} bytes`);
  };
  if ('file' in place) {
    return {
      getKey: () => place.file,
      async getBytes(offset, length) {
        checked(length);
        const bytes = await files.slice(place.file, offset, length);
        if (!bytes) throw new ArchiveError('the file is gone');
        return { data: buffered(bytes) };
      },
    };
  }
  return {
    getKey: () => place.address,
    async getBytes(offset, length, _signal, known) {
      checked(length);
      const answer = await askOutside(place.address, {
        timeoutMs: rangeTimeoutMs,
        maxBytes: length + 1,
        reach: place.reach,
        headers: { range: `bytes=${offset}-${offset + length - 1}` },
      });
      const etag = markOf(answer.etag);
      if (known !== undefined && (answer.status === 416 || (etag !== undefined && etag !== known)))
        throw new Replaced('the archive changes while it is read');
      // 200 is the whole file: a short one may be, but never from the middle.
      if (answer.status !== 206 && !(answer.status === 200 && offset === 0))
        throw new ArchiveError(
          answer.status === 200 ? 'the server answers no ranges (200 instead of 206)' : `HTTP ${answer.status}`,
        );
      return { data: buffered(answer.body), ...(etag === undefined ? {} : { etag }) };
    },
  };
}

/** Reads PMTiles archives (version 3), of this server or elsewhere. */
export function createArchives({ files, now }: { readonly files: Files; readonly now: () => Date }) {
  const open = new Map<string, { readonly archive: PMTiles; readonly since: number }>();

  const keyOf = (place: ArchivePlace): string => ('file' in place ? place.file : `${place.reach} ${place.address}`);
  function archiveOf(place: ArchivePlace): PMTiles {
    const key = keyOf(place);
    const known = open.get(key);
    if (known && ('file' in place || now().getTime() - known.since < addressStaleMs)) return known.archive;
    const archive = new PMTiles(
      sourceOf(place, files),
      new SharedPromiseCache(undefined, undefined, unpackedTo(longestDirectory)),
      unpackedTo(longestRange),
    );
    open.delete(key);
    open.set(key, { archive, since: now().getTime() });
    for (const oldest of open.keys()) if (open.size > mostOpen) open.delete(oldest);
    return archive;
  }

  /** Archives say what is wrong with them by all kinds of errors. */
  async function asArchive<T>(place: ArchivePlace, work: (archive: PMTiles) => Promise<T>, again = true): Promise<T> {
    try {
      return await work(archiveOf(place));
    } catch (thrown) {
      open.delete(keyOf(place));
      // Not left to the library: it reads the header anew beside the question, and where that fails nobody hears of it
      // but the process, which ends.
      if (thrown instanceof Replaced && again) return asArchive(place, work, false);
      if (thrown instanceof OutboundError)
        throw thrown.fault === 'tooLarge' ? new ArchiveError('the server answers no ranges') : thrown;
      throw thrown instanceof ArchiveError
        ? thrown
        : new ArchiveError(thrown instanceof Error ? thrown.message : String(thrown), { cause: thrown });
    }
  }

  return {
    /** What is in an archive. Throws ArchiveError, or OutboundError when its server does not answer. */
    facts: (place: ArchivePlace): Promise<ArchiveFacts> =>
      asArchive(place, async (archive) => {
        const { tileType, minZoom, maxZoom, minLon, minLat, maxLon, maxLat, specVersion } = await archive.getHeader();
        if (specVersion !== 3) throw new ArchiveError(`version ${specVersion}`);
        if (![TileType.Mvt, TileType.Png, TileType.Jpeg, TileType.Webp, TileType.Avif].includes(tileType))
          throw new ArchiveError('tiles of an unknown type');
        const bounds = [minLon, minLat, maxLon, maxLat] as const;
        if (maxZoom > 30 || minZoom > maxZoom || !bounds.every(Number.isFinite))
          throw new ArchiveError('a header that makes no sense');
        return {
          format: tileType === TileType.Mvt ? ('vector' as const) : ('raster' as const),
          minZoom,
          maxZoom,
          bounds,
          attribution: attributionIn(await archive.getMetadata()),
        };
      }),
    /** One tile, unpacked; undefined where the archive has none. */
    tile: (place: ArchivePlace, z: number, x: number, y: number): Promise<Buffer | undefined> =>
      asArchive(place, async (archive) => {
        const found = await archive.getZxy(z, x, y);
        return found && Buffer.from(found.data);
      }),
  };
}
export type Archives = ReturnType<typeof createArchives>;

/** Plain words: archives carry HTML there. */
function attributionIn(metadata: unknown): string | null {
  const text =
    metadata !== null && typeof metadata === 'object' && 'attribution' in metadata ? metadata.attribution : null;
  if (typeof text !== 'string') return null;
  return (
    text
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll('&copy;', '©')
      .replaceAll('&amp;', '&')
      .trim()
      .slice(0, 120) || null
  );
}
