import { addProtocol, type RequestParameters } from 'maplibre-gl';
import type { GeographicSystem } from '../../../../../catalogue/coordinates.ts';
import { fetchTile } from '../../../api/tile.ts';
import { noteTile } from './health.ts';
import { patchesOf } from './warp.ts';

const scheme = 'lampyris-tile';

export interface TileSource {
  readonly id: number;
  readonly version: number;
  readonly system: GeographicSystem;
  readonly tileSize: number;
  readonly format: 'raster' | 'vector';
}

/** What MapLibre asks for a layer of a base map. */
export const tileAddress = ({ id, version, system, tileSize, format }: TileSource, layer: number): string =>
  `${scheme}://${[id, version, layer, system, tileSize, format].join('/')}/{z}/{x}/{y}`;

/** A tile that is not there: MapLibre then shows the one above it, enlarged. */
class NoTile extends Error {
  readonly status: number;
  constructor(problem: string) {
    super(problem);
    this.status = problem === 'notFound' ? 404 : 502;
  }
}

type Place = Omit<TileSource, 'format'> & { readonly layer: number };

async function bytesOf(
  { id, version, layer }: Place,
  z: number,
  x: number,
  y: number,
  signal?: AbortSignal,
): Promise<ArrayBuffer> {
  const answer = await fetchTile({ id, version, layer, z, x, y }, signal);
  noteTile(id, 'bytes' in answer ? null : answer.problem);
  if ('bytes' in answer) return answer.bytes;
  throw new NoTile(answer.problem);
}

/** Pictures of shifted services are used for up to four tiles each. */
const pictures = new Map<string, Promise<ImageBitmap>>();
const mostPictures = 160;

function pictureOf(place: Place, z: number, x: number, y: number): Promise<ImageBitmap> {
  const key = [place.id, place.version, place.layer, z, x, y].join('/');
  const known = pictures.get(key);
  if (known) return known;
  const picture = bytesOf(place, z, x, y).then((bytes) => createImageBitmap(new Blob([bytes])));
  pictures.set(key, picture);
  // What failed is asked for again next time.
  picture.catch(() => pictures.delete(key));
  for (const oldest of pictures.keys()) {
    if (pictures.size <= mostPictures) break;
    pictures.delete(oldest);
  }
  return picture;
}

/** A WGS-84 tile out of the pictures of a shifted service; a gap stays transparent unless everything is one. */
async function moved(place: Place, z: number, x: number, y: number): Promise<ImageBitmap> {
  const size = place.tileSize;
  const patches = patchesOf(place.system, z, x, y, size).filter(
    (patch) => patch.x >= 0 && patch.y >= 0 && patch.x < 2 ** z && patch.y < 2 ** z,
  );
  const keys = [...new Map(patches.map((patch) => [`${patch.x}/${patch.y}`, patch])).values()];
  const found = await Promise.allSettled(keys.map((patch) => pictureOf(place, z, patch.x, patch.y)));
  const failed = found.find((one) => one.status === 'rejected');
  if (failed && found.every((one) => one.status === 'rejected')) throw failed.reason;
  const canvas = new OffscreenCanvas(size, size);
  const context = canvas.getContext('2d')!;
  for (const patch of patches) {
    const picture = found[keys.findIndex((key) => key.x === patch.x && key.y === patch.y)];
    if (picture?.status !== 'fulfilled') continue;
    // A service may send larger pictures than it says.
    const scale = picture.value.width / size;
    context.drawImage(
      picture.value,
      patch.fromX * scale,
      patch.fromY * scale,
      patch.width * scale,
      patch.height * scale,
      patch.toX,
      patch.toY,
      patch.width,
      patch.height,
    );
  }
  return canvas.transferToImageBitmap();
}

async function load({ url }: RequestParameters, stop: AbortController): Promise<{ data: ArrayBuffer | ImageBitmap }> {
  const [id, version, layer, system, tileSize, format, z, x, y] = url.slice(scheme.length + 3).split('/');
  const place: Place = {
    id: Number(id),
    version: Number(version),
    layer: Number(layer),
    system: system as GeographicSystem,
    tileSize: Number(tileSize),
  };
  const at = [Number(z), Number(x), Number(y)] as const;
  if (system !== 'WGS84') return { data: await moved(place, ...at) };
  try {
    return { data: await bytesOf(place, ...at, stop.signal) };
  } catch (thrown) {
    // Shapes of a neighbouring zoom would be wrong: an empty tile is what is there.
    if (format === 'vector' && thrown instanceof NoTile && thrown.status === 404) return { data: new ArrayBuffer(0) };
    throw thrown;
  }
}

let known = false;
/** Teaches MapLibre, once, how tiles of base maps are fetched: with the session, in WGS-84. */
export function teachTiles(): void {
  if (known) return;
  known = true;
  addProtocol(scheme, load);
}
