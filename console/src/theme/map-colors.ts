import { palettes, type ThemeName } from './tokens.ts';

/**
 * Light theme: a lit lamp on the map is lighter than the state's token, which is as dark as an alarm: eyes that do not
 * tell red from green see them apart by lightness (tokens.test.ts).
 */
const litByDay = '#0c966e';

/**
 * Colours of the base map, labels and lamps. `theme` is the map's own light (night or day), which may differ from the
 * console's.
 */
export function mapColors(theme: ThemeName) {
  const p = palettes[theme];
  return {
    ground: p['m-ground'],
    block: p['m-block'],
    park: p['m-park'],
    water: p['m-water'],
    road: p['m-road'],
    roadCase: p['m-road-case'],
    roadMinor: p['m-road-minor'],
    expressway: p['m-express'],
    label: p['m-label'],
    labelHalo: p['m-label-halo'],
    panel: p['m-panel'],
    /** Light by colour temperature in kelvin. */
    lamp: { 2700: p['m-lamp-2700'], 3500: p['m-lamp-3500'], 5000: p['m-lamp-5000'] } as const,
    lampLit: p['m-lamp-lit'],
    lampOff: p['m-lamp-off'],
    /** Shape colours of the device states on this ground. */
    states: {
      on: theme === 'light' ? litByDay : p['s-on'],
      dim: p['s-dim'],
      off: p['s-off'],
      alarm: p['s-alarm'],
      offline: p['s-offline'],
      maint: p['s-maint'],
      info: p['s-info'],
    } as const,
  };
}
