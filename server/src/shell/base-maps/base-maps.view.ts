import { isProvider, providers, type BaseMapKind } from '../../../../catalogue/base-maps.ts';
import type { Static } from 'typebox';
import type { BaseMap, BaseMapSettings } from '../../../../contract/shell/base-maps.ts';
import { layersOf, systemOf } from './asking.ts';
import type { BaseMapRow, FileRow } from './base-maps.store.ts';

export type PublicView = Static<typeof BaseMap>;
export type SettingsView = Static<typeof BaseMapSettings>;
type Format = PublicView['format'];
type FileView = NonNullable<SettingsView['file']>;

/** What a browser needs to draw it. */
export function publicView(row: BaseMapRow, standard: number | undefined): PublicView {
  const kind = row.kind as BaseMapKind;
  return {
    id: row.id,
    version: row.version,
    kind,
    name: row.name,
    style: row.style,
    system: systemOf(kind, row.system),
    format: row.format as Format,
    minZoom: row.min_zoom,
    maxZoom: row.max_zoom,
    tileSize: row.tile_size,
    attribution: row.attribution ?? (isProvider(kind) ? providers[kind].attribution : null),
    layers: layersOf(row).length,
    isDefault: row.id === standard,
  };
}

export const fileView = (row: FileRow): FileView => ({
  name: row.name,
  fileName: row.file_name,
  bytes: Number(row.bytes),
  format: row.format as Format,
  minZoom: row.min_zoom,
  maxZoom: row.max_zoom,
  bounds: row.bounds as unknown as number[],
  attribution: row.attribution,
});

/** Everything but the key. */
export const settingsView = (
  row: BaseMapRow,
  file: FileRow | undefined,
  standard: number | undefined,
): SettingsView => ({
  ...publicView(row, standard),
  attribution: row.attribution,
  address: row.address,
  hasKey: row.key !== null,
  file: file ? fileView(file) : null,
  allowPrivate: row.allow_private,
  isEnabled: row.is_enabled,
});
