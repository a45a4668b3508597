import { filledAddress, isProvider, stylesOf, asksService, providers } from '../../../../catalogue/base-maps.ts';
import type { GeographicSystem } from '../../../../catalogue/coordinates.ts';
import type { mapProblems } from '../../../../contract/shell/base-maps.ts';
import { askOutside, OutboundError, type Reach } from '../../platform/outbound/index.ts';
import { ArchiveError, type ArchivePlace, type Archives } from './archives.ts';
import { pictureKind, type TileKind } from './picture.ts';

export type MapProblem = (typeof mapProblems)[number];

/** Settings as they are asked with: the key in the clear. */
export interface Askable {
  readonly kind: string;
  readonly style: string | null;
  readonly address: string | null;
  readonly file: string | null;
  readonly key: string | null;
  readonly format: string;
  readonly minZoom: number;
  readonly maxZoom: number;
  readonly reach: Reach;
}

export interface Tile {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/** What a service answered: a picture, or why there is none. */
export interface Asked {
  readonly address: string | null;
  readonly status: number | null;
  readonly bytes: Buffer | null;
  readonly contentType: string | null;
  readonly kind: TileKind | null;
  readonly problem: MapProblem | null;
  readonly detail: string | null;
}

const timeoutMs = 8000;
const mostBytes = 4 * 1024 * 1024;
const vectorKind: TileKind = { type: 'application/x-protobuf', extension: 'mvt', width: null, height: null };
const blank: Asked = {
  address: null,
  status: null,
  bytes: null,
  contentType: null,
  kind: null,
  problem: null,
  detail: null,
};

/** Addresses of the layers, the lowest first; none for what asks nobody. */
export function layersOf({
  kind,
  style,
  address,
  file,
}: Pick<Askable, 'kind' | 'style' | 'address' | 'file'>): readonly string[] {
  if (!asksService(kind)) return [];
  if (isProvider(kind)) return stylesOf(kind)[style ?? ''] ?? [];
  return address !== null ? [address] : file !== null ? [''] : [];
}

export const archivePlace = ({ file, address, reach }: Pick<Askable, 'file' | 'address' | 'reach'>): ArchivePlace =>
  file !== null ? { file } : { address: address ?? '', reach };

/** The system in which a kind counts tiles. */
export const systemOf = (kind: string, stated: string): GeographicSystem =>
  isProvider(kind) ? providers[kind].system : (stated as GeographicSystem);

/** Asks for one tile of one layer. Never throws for what lies outside of this program. */
export async function askTile(archives: Archives, map: Askable, layer: number, tile: Tile): Promise<Asked> {
  const address = layersOf(map)[layer];
  if (address === undefined) return { ...blank, problem: 'notFound' };
  if (tile.z < map.minZoom || tile.z > map.maxZoom) return { ...blank, problem: 'zoom' };
  return map.kind === 'pmtiles' ? fromArchive(archives, map, tile) : fromService(map, address, tile);
}

async function fromArchive(archives: Archives, map: Askable, { z, x, y }: Tile): Promise<Asked> {
  const asked = { ...blank, address: map.file === null ? map.address : null };
  try {
    const bytes = await archives.tile(archivePlace(map), z, x, y);
    if (!bytes) return { ...asked, problem: 'notFound' };
    const kind = map.format === 'vector' ? vectorKind : pictureKind(bytes);
    return kind ? { ...asked, bytes, kind, contentType: kind.type } : { ...asked, problem: 'notPicture' };
  } catch (thrown) {
    return { ...asked, ...faultIn(thrown) };
  }
}

async function fromService(map: Askable, template: string, tile: Tile): Promise<Asked> {
  const key = map.key ?? '';
  const asked = { ...blank, address: filledAddress(template, tile, '***') };
  if (key === '' && template.includes('{key}')) return { ...asked, problem: 'keyMissing' };
  const masked = (text: string): string =>
    key === '' ? text : text.replaceAll(encodeURIComponent(key), '***').replaceAll(key, '***');
  try {
    const { status, contentType, body } = await askOutside(filledAddress(template, tile, key), {
      timeoutMs,
      maxBytes: mostBytes,
      reach: map.reach,
    });
    const kind = pictureKind(body);
    const answered = { ...asked, status, contentType, bytes: body };
    if (status === 200 && kind) return { ...answered, kind };
    return {
      ...answered,
      problem: status === 200 ? 'notPicture' : problemOfStatus(status),
      detail: masked(wordsIn(body)) || null,
    };
  } catch (thrown) {
    const fault = faultIn(thrown);
    return { ...asked, ...fault, detail: masked(fault.detail) };
  }
}

function problemOfStatus(status: number): MapProblem {
  if (status === 401 || status === 403) return 'keyRefused';
  if (status === 404 || status === 204 || status === 410) return 'notFound';
  if (status === 418 || status === 429) return 'tooMany';
  return status >= 500 ? 'serverError' : 'status';
}

function faultIn(thrown: unknown): { problem: MapProblem; detail: string } {
  if (thrown instanceof OutboundError) return { problem: thrown.fault, detail: thrown.message };
  if (thrown instanceof ArchiveError) return { problem: 'archive', detail: thrown.message };
  throw thrown;
}

/** The first words of an error page or message. */
const wordsIn = (body: Buffer): string =>
  body.subarray(0, 64).includes(0)
    ? ''
    : body
        .toString('utf8', 0, 2000)
        .replaceAll(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>|[\p{Cc}\p{Bidi_C}]/gu, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim()
        .slice(0, 200);
