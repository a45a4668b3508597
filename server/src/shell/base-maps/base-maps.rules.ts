import { addressProblem, isProvider, providers, stylesOf } from '../../../../catalogue/base-maps.ts';
import type { BodyOf } from '../../../../contract/route.ts';
import type { updateBaseMap } from '../../../../contract/shell/base-maps.ts';
import type { FieldProblem, Sound } from '../../platform/http/index.ts';
import type { BaseMapValues } from './base-maps.store.ts';

export type Given = Omit<BodyOf<typeof updateBaseMap>, 'version'>;

/** What was given, as the row has it: texts trimmed, the key sealed, nothing where a provider decides. */
export function toColumns(
  kind: string,
  isNew: boolean,
  given: Sound<Given>,
  seal: (plain: string) => string,
): BaseMapValues {
  const provider = isProvider(kind) ? providers[kind] : undefined;
  const text = (value: string | null | undefined) =>
    value === undefined ? undefined : value?.normalize('NFC').trim() || null;
  const key = text(given.key);
  const all: { [K in keyof BaseMapValues]: BaseMapValues[K] | undefined } = {
    name: text(given.name),
    attribution: text(given.attribution),
    style: given.style,
    file: given.file,
    address: provider ? undefined : text(given.address),
    key: typeof key === 'string' ? seal(key) : key,
    system: provider?.system ?? given.system,
    tile_size: provider?.tileSize ?? given.tileSize,
    min_zoom: given.minZoom ?? (isNew ? provider?.minZoom : undefined),
    max_zoom: given.maxZoom ?? (isNew ? provider?.maxZoom : undefined),
    allow_private: given.allowPrivate,
    is_enabled: given.isEnabled,
    is_default: given.isDefault,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** A base map as it would be after a change; `key` is whether there is one. */
export type Settled = Required<
  Pick<
    BaseMapValues,
    'name' | 'style' | 'address' | 'file' | 'system' | 'format' | 'min_zoom' | 'max_zoom' | 'is_enabled' | 'is_default'
  >
> & { readonly kind: string; readonly hasKey: boolean };

const archiveAddress = (address: string): boolean =>
  /^https?:\/\/\S+$/.test(address) &&
  URL.canParse(address) &&
  !/[{}]/.test(address) &&
  new URL(address).username === '';

/** Every field that will not do, at once. */
export function settingProblems(map: Settled): FieldProblem[] {
  const {
    kind,
    name,
    style,
    address,
    file,
    system,
    format,
    min_zoom: minZoom,
    max_zoom: maxZoom,
    is_enabled: isEnabled,
    is_default: isDefault,
    hasKey,
  } = map;
  const problems: FieldProblem[] = [];
  const wrong = (field: string, rule: FieldProblem['rule']) => void problems.push({ field, rule });
  if ((kind === 'xyz' || kind === 'pmtiles') && !name) wrong('name', 'required');
  if (kind === 'xyz') {
    if (!address) wrong('address', 'required');
    else if (addressProblem(address)) wrong('address', 'invalid');
    if (address?.includes('{key}') && !hasKey) wrong('key', 'required');
  }
  if (kind === 'pmtiles') {
    if (!address && !file) wrong('address', 'required');
    else if (address && (file || !archiveAddress(address))) wrong('address', 'invalid');
  }
  if (isProvider(kind)) {
    if (!style || !Object.hasOwn(stylesOf(kind), style)) wrong('style', 'enum');
    if (!hasKey) wrong('key', 'required');
  }
  if (Number(minZoom) > Number(maxZoom)) wrong('maxZoom', 'invalid');
  // Shapes are drawn where they are; only pictures can be moved.
  if (format === 'vector' && system !== 'WGS84') wrong('system', 'invalid');
  if (!isEnabled && (isDefault || kind === 'grid')) wrong('isEnabled', 'invalid');
  return problems;
}

/** The host that is asked: a key is told to no other than the one it was given for. */
export function hostOf(address: string | null | undefined): string {
  return /^https?:\/\/([^/?#]*)/i.exec(address ?? '')?.[1]?.toLowerCase() ?? '';
}
