import { mapColors } from '../../theme/map-colors.ts';
import { palettes } from '../../theme/tokens.ts';
import type { LampStateName } from './lamp-field.ts';

/** What the map takes from the theme, as CSS colours. */
export interface MapColours {
  night: boolean;
  ground: string;
  block: string;
  park: string;
  water: string;
  building: string;
  road: string;
  roadMinor: string;
  roadCase: string;
  express: string;
  /** Lines of the plain grid. */
  gridLine: string;
  label: string;
  labelHalo: string;
  waterLabel: string;
  /** Codes of lamps. */
  caption: string;
  lit: string;
  unlit: string;
  /** Ground of a state shape, and the ring around what is selected. */
  disc: string;
  ring: string;
  states: Record<LampStateName, string>;
  /** What says nothing of itself. */
  info: string;
  fonts: readonly string[];
}

/** The map's own light, whatever the theme of the page is: by night it takes the dark tokens, by day the light ones. */
export function mapColours(night: boolean, fonts: readonly string[]): MapColours {
  const colours = mapColors(night ? 'dark' : 'light');
  const page = palettes[night ? 'dark' : 'light'];
  const { on, dim, off, alarm, offline, maint } = colours.states;
  return {
    night,
    ground: colours.ground,
    block: colours.block,
    park: colours.park,
    water: colours.water,
    building: night ? '#12171d' : '#e6e6df',
    road: colours.road,
    roadMinor: colours.roadMinor,
    roadCase: night ? colours.ground : colours.roadCase,
    express: colours.expressway,
    gridLine: night ? '#1d242c' : '#d2d2c8',
    label: colours.label,
    labelHalo: colours.labelHalo,
    waterLabel: night ? '#65748a' : '#4d6577',
    caption: page['c-text-2'],
    lit: colours.lampLit,
    unlit: colours.lampOff,
    disc: night ? 'rgba(11,14,18,0.8)' : 'rgba(255,255,255,0.96)',
    ring: night ? '#ffffff' : page['c-text'],
    info: colours.states.info,
    states: { on, dimmed: dim, off, alarm, offline, maintenance: maint, unknown: offline },
    fonts,
  };
}

/** The page's font stack as MapLibre's `text-font` wants it: `"Inter", sans-serif` → `['Inter', 'sans-serif']`. */
export function pageFonts(): string[] {
  const names = getComputedStyle(document.body)
    .fontFamily.split(',')
    .map((name) => name.trim().replace(/^["']|["']$/g, ''))
    .filter(Boolean);
  return names.length > 0 ? names : ['sans-serif'];
}
