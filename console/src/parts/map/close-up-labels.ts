import type { SymbolLayerSpecification } from 'maplibre-gl';
import type { MapColours } from './colours.ts';

/** What is written beside a lamp. */
export interface Caption {
  readonly code: string;
  /** Its level, or what its state is called. */
  readonly state: string;
  /** The colour of the level or state. */
  readonly tint: string;
}

export const codesId = 'lamp-codes';
export const codesSource = 'lamp-codes';
/** From this zoom on (50 m are about 100 px) codes are written. */
export const labelsFromZoom = 16.7;

/** Codes and levels beside the lamps: MapLibre leaves out what would overlap, the well first. */
export function codeLabels(colours: MapColours): SymbolLayerSpecification {
  return {
    id: codesId,
    type: 'symbol',
    source: codesSource,
    minzoom: labelsFromZoom,
    layout: {
      'text-field': [
        'format',
        ['get', 'code'],
        {},
        ['concat', '\u2002', ['get', 'state']],
        { 'text-color': ['to-color', ['get', 'tint']] },
      ],
      'text-font': [...colours.fonts],
      'text-size': ['interpolate', ['linear'], ['zoom'], labelsFromZoom, 11, 18.5, 13],
      'text-variable-anchor': ['top', 'bottom', 'left', 'right'],
      'text-radial-offset': ['interpolate', ['linear'], ['zoom'], labelsFromZoom, 0.9, 19, 1.5],
      'text-padding': 4,
      'symbol-sort-key': ['get', 'rank'],
    },
    paint: { 'text-color': colours.caption, 'text-halo-color': colours.labelHalo, 'text-halo-width': 1.5 },
  };
}
