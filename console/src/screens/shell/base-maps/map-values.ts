import type { Static } from 'typebox';
import {
  addressProblem,
  asksService,
  isProvider,
  providers,
  stylesOf,
  type BaseMapKind,
} from '../../../../../catalogue/base-maps.ts';
import type { GeographicSystem } from '../../../../../catalogue/coordinates.ts';
import type { BodyOf } from '../../../../../contract/route.ts';
import { baseMapLimits, type BaseMapSettings, type updateBaseMap } from '../../../../../contract/shell/base-maps.ts';

export type BaseMapSetting = Static<typeof BaseMapSettings>;
type Body = Omit<BodyOf<typeof updateBaseMap>, 'version'>;
/** Kinds of which there may be several. */
export const newKinds = ['xyz', 'pmtiles', 'tianditu', 'amap'] as const;
export type NewKind = (typeof newKinds)[number];
export const isNewKind = (kind: string | null): kind is NewKind => newKinds.some((one) => one === kind);

/** What the form holds; texts as they are typed. `key` null: as it is stored. */
export interface MapValues {
  name: string;
  style: string;
  address: string;
  key: string | null;
  file: BaseMapSetting['file'];
  system: GeographicSystem;
  minZoom: number;
  maxZoom: number;
  tileSize: 256 | 512;
  attribution: string;
  allowPrivate: boolean;
  isEnabled: boolean;
  isDefault: boolean;
}
export type MapField = keyof MapValues;
export const mapFields = [
  'name',
  'style',
  'address',
  'key',
  'file',
  'system',
  'minZoom',
  'maxZoom',
  'tileSize',
  'attribution',
  'allowPrivate',
  'isEnabled',
  'isDefault',
] as const satisfies readonly MapField[];

export const valuesOf = (map: BaseMapSetting): MapValues => ({
  name: map.name ?? '',
  style: map.style ?? '',
  address: map.address ?? '',
  key: null,
  file: map.file,
  system: map.system,
  minZoom: map.minZoom,
  maxZoom: map.maxZoom,
  tileSize: map.tileSize === 512 ? 512 : 256,
  attribution: map.attribution ?? '',
  allowPrivate: map.allowPrivate,
  isEnabled: map.isEnabled,
  isDefault: map.isDefault,
});

export const startOf = (kind: BaseMapKind): MapValues => ({
  name: '',
  style: Object.keys(stylesOf(kind))[0] ?? '',
  address: '',
  key: null,
  file: null,
  system: isProvider(kind) ? providers[kind].system : 'WGS84',
  minZoom: isProvider(kind) ? providers[kind].minZoom : 0,
  maxZoom: isProvider(kind) ? providers[kind].maxZoom : 18,
  tileSize: 256,
  attribution: '',
  allowPrivate: false,
  isEnabled: true,
  isDefault: false,
});

/** Which fields a kind has, in the order of the form. */
export function fieldsOf(kind: BaseMapKind): readonly MapField[] {
  const always = ['isEnabled', 'isDefault'] as const;
  if (!asksService(kind)) return kind === 'grid' ? ['isDefault'] : always;
  if (isProvider(kind)) return ['name', 'style', 'key', 'minZoom', 'maxZoom', 'attribution', ...always];
  if (kind === 'xyz')
    return [
      'name',
      'address',
      'key',
      'system',
      'style',
      'tileSize',
      'minZoom',
      'maxZoom',
      'attribution',
      'allowPrivate',
      ...always,
    ];
  return ['name', 'file', 'address', 'system', 'style', 'attribution', 'allowPrivate', ...always];
}

export const sameValues = (a: MapValues, b: MapValues): boolean =>
  mapFields.every((field) => (field === 'file' ? a.file?.name === b.file?.name : a[field] === b[field]));

const hostOf = (address: string): string => /^https?:\/\/([^/?#]*)/i.exec(address.trim())?.[1]?.toLowerCase() ?? '';
/** The stored key is told to no other host than its own. */
export const keyLost = (stored: BaseMapSetting | null, { address, key }: MapValues): boolean =>
  stored?.hasKey === true && key === null && stored.address !== null && hostOf(stored.address) !== hostOf(address);

export type MapRule =
  | 'required'
  | 'address.scheme'
  | 'address.places'
  | 'address.unknown'
  | 'address.host'
  | 'address.archive'
  | 'zooms'
  | 'vectorSystem'
  | 'keyAnew'
  | 'either';

/** Everything wrong with a form at once, by field; the server judges again. */
export function problemsOf(
  kind: BaseMapKind,
  stored: BaseMapSetting | null,
  values: MapValues,
): Partial<Record<MapField, MapRule>> {
  const problems: Partial<Record<MapField, MapRule>> = {};
  const address = values.address.trim();
  if ((kind === 'xyz' || kind === 'pmtiles') && values.name.trim() === '') problems.name = 'required';
  if (kind === 'xyz') {
    const wrong = address === '' ? undefined : addressProblem(address);
    if (address === '') problems.address = 'required';
    else if (wrong) problems.address = `address.${wrong}`;
  }
  const hasKey = values.key === null ? stored?.hasKey === true : values.key.trim() !== '';
  const needsKey = isProvider(kind) || (kind === 'xyz' && address.includes('{key}'));
  if (needsKey && keyLost(stored, values)) problems.key = 'keyAnew';
  else if (needsKey && !hasKey) problems.key = 'required';
  if (kind === 'pmtiles') {
    if (address === '' && values.file === null) problems.address = 'either';
    else if (address !== '' && !/^https?:\/\/[^\s{}]+$/.test(address)) problems.address = 'address.archive';
    if (values.file?.format === 'vector' && values.system !== 'WGS84') problems.system = 'vectorSystem';
  }
  if (values.minZoom > values.maxZoom) problems.maxZoom = 'zooms';
  return problems;
}

/** What is sent: fields of the kind only; `changedFrom` leaves out what stays. */
export function bodyOf(kind: BaseMapKind, values: MapValues, changedFrom?: MapValues): Body {
  const text = (value: string): string | null => value.trim() || null;
  const whole: Record<MapField, unknown> = {
    ...values,
    name: text(values.name),
    style: text(values.style),
    attribution: text(values.attribution),
    file: values.file?.name ?? null,
    // An archive is in one place: a file takes the address's.
    address: kind === 'pmtiles' && values.file !== null ? null : text(values.address),
    key: values.key === null ? undefined : text(values.key),
  };
  const sent = fieldsOf(kind).filter(
    (field) =>
      whole[field] !== undefined &&
      (!changedFrom ||
        (field === 'file' ? changedFrom.file?.name !== values.file?.name : changedFrom[field] !== values[field])),
  );
  // Of an archive both places go together: one replaces the other.
  const both: readonly MapField[] =
    kind === 'pmtiles' && sent.some((field) => field === 'file' || field === 'address') ? ['file', 'address'] : [];
  return Object.fromEntries([...new Set([...sent, ...both])].map((field) => [field, whole[field]])) as Body;
}

export const zoomLimit = baseMapLimits.zoom;
