/**
 * The one source of every colour, size and duration: `tokens.css`, antd, charts and the map are all derived from it.
 * Blue acts. Warm light is only ever light. Everything else is ink on paper, or paper on ink. Keys are the CSS custom
 * properties without their two dashes. After a change run `node console/src/theme/write-css.ts`; a test says when
 * stale, another keeps the contrast and colour-vision figures.
 */

/** The same in both themes. z: map, shell, drawer, dialog, popup, toast. Nothing is smaller than 12 px. */
export const base = {
  'font-latin': '"Inter Variable", "Inter"',
  'font-sans':
    'var(--font-latin), "PingFang SC", "HarmonyOS Sans SC", "Microsoft YaHei", "Noto Sans SC", "Noto Sans CJK SC", sans-serif',
  'font-sans-tc':
    'var(--font-latin), "PingFang TC", "Microsoft JhengHei", "Noto Sans TC", "Noto Sans CJK TC", sans-serif',
  'font-sans-ja': 'var(--font-latin), "Hiragino Sans", "Yu Gothic UI", "Noto Sans JP", "Noto Sans CJK JP", sans-serif',
  'font-sans-ko':
    'var(--font-latin), "Apple SD Gothic Neo", "Malgun Gothic", "Noto Sans KR", "Noto Sans CJK KR", sans-serif',
  'font-mono': '"JetBrains Mono", "SFMono-Regular", "Cascadia Mono", "Noto Sans Mono CJK SC", monospace',
  'fs-12': '12px',
  'lh-12': '18px',
  'fs-13': '13px',
  'lh-13': '20px',
  'fs-14': '14px',
  'lh-14': '22px',
  'fs-16': '16px',
  'lh-16': '24px',
  'fs-20': '20px',
  'lh-20': '28px',
  'fs-28': '28px',
  'lh-28': '34px',
  'fs-40': '40px',
  'lh-40': '46px',
  'fs-72': '72px',
  'lh-72': '76px',
  'fw-regular': '400',
  'fw-medium': '500',
  'fw-semibold': '600',
  num: '"tnum" 1',
  'num-code': '"tnum" 1, "zero" 1',
  'sp-1': '4px',
  'sp-2': '8px',
  'sp-3': '12px',
  'sp-4': '16px',
  'sp-5': '20px',
  'sp-6': '24px',
  'sp-8': '32px',
  'sp-10': '40px',
  'sp-14': '56px',
  'h-header': '52px',
  'h-tabs': '38px',
  'w-menu': '204px',
  'w-drawer': '400px',
  'h-control': '32px',
  'h-control-sm': '26px',
  'h-control-touch': '48px',
  'h-row': '40px',
  'h-row-compact': '32px',
  'h-row-loose': '48px',
  'r-xs': '3px',
  'r-sm': '6px',
  'r-md': '8px',
  'r-lg': '12px',
  'r-full': '999px',
  'sky-day': '#4f6482',
  'sky-low': '#61647a',
  'sky-set': '#966f55',
  'sky-dusk': '#5c5a6c',
  'sky-naut': '#2a3346',
  'sky-night': '#0d1219',
  'ribbon-lit': '#ffc978',
  'ribbon-plan': '#ffdba3',
  'slider-light': 'linear-gradient(90deg, #1f252b 0, #4d3c22 25%, #9a6d28 55%, #ffb84d 85%, #ffe0a6 100%)',
  't-fast': '90ms',
  't-base': '140ms',
  't-slow': '200ms',
  'ease-out': 'cubic-bezier(.2,.7,.2,1)',
  'ease-in': 'cubic-bezier(.5,0,.8,.3)',
  'z-map': '0',
  'z-map-ui': '10',
  'z-sticky': '20',
  'z-batch': '30',
  'z-shell': '40',
  'z-drawer': '100',
  'z-modal': '200',
  'z-popup': '300',
  'z-toast': '400',
  'z-focus': '500',
} as const;

export const light = {
  'c-ground': '#f4f4f0',
  'c-surface': '#ffffff',
  'c-raised': '#ffffff',
  'c-sunken': '#fafaf7',
  'c-fill': '#ecece6',
  'c-fill-hover': '#f3f3ee',
  'c-line': '#e3e3dc',
  'c-line-strong': '#cdcdc4',
  'c-input-line': '#8c8c8c',
  'c-text': '#17191c',
  'c-text-2': '#54585e',
  'c-text-3': '#66696e',
  'c-placeholder': '#737373',
  'c-disabled': '#a3a39b',
  'c-primary': '#0958d9',
  'c-primary-hover': '#0a4bb5',
  'c-primary-press': '#083d94',
  'c-primary-solid': '#0958d9',
  'c-on-primary': '#ffffff',
  'c-primary-soft': '#eaf1fd',
  'c-primary-line': '#9dbff5',
  'c-success-text': '#237804',
  'c-warning-text': '#874d00',
  'c-error-text': '#cf1322',
  'c-error-solid': '#cf1322',
  'c-success-soft': '#edf6e8',
  'c-warning-soft': '#fdf3e1',
  'c-error-soft': '#fdeeee',
  'c-focus': '#0958d9',
  's-on': '#007060',
  's-dim': '#cc6e08',
  's-off': '#54585e',
  's-alarm': '#ac0606',
  's-offline': '#828a9c',
  's-maint': '#b12dde',
  's-info': '#0e2672',
  'st-on': '#007060',
  'st-dim': '#874d00',
  'st-off': '#54585e',
  'st-alarm': '#ac0606',
  'st-offline': '#596072',
  'st-maint': '#8f1fb6',
  'st-info': '#0e2672',
  'c-light': '#e08a00',
  'c-light-strong': '#965a00',
  'c-light-soft': '#fbeccd',
  'c-light-track': '#ece8dd',
  'c-night': 'rgba(36,48,84,.055)',
  'ch-1': '#17191c',
  'ch-2': '#0958d9',
  'ch-3': '#e08a00',
  'ch-4': '#bb819e',
  'ch-5': '#7b924f',
  'ch-6': '#1a4d1a',
  'ch-7': '#7e4461',
  'ch-ref': '#8b8f96',
  'ch-grid': '#ebebe5',
  'ch-gap': 'rgba(84,88,94,.09)',
  'shadow-1': '0 1px 2px rgba(23,25,28,.05)',
  'shadow-2': '0 4px 16px -4px rgba(23,25,28,.10), 0 1px 3px rgba(23,25,28,.06)',
  'shadow-3': '0 16px 48px -12px rgba(23,25,28,.20), 0 2px 8px rgba(23,25,28,.07)',
  'c-scrim': 'rgba(23,25,28,.36)',
  'c-inverse': '#1b1f24',
  'c-on-inverse': '#ffffff',
  'c-inverse-link': '#9cc4ff',
  'm-ground': '#ecece6',
  'm-block': '#f3f3ee',
  'm-park': '#dfe8d6',
  'm-water': '#cfdde4',
  'm-road': '#ffffff',
  'm-road-case': '#dcdcd4',
  'm-express': '#fbf3e2',
  'm-label': '#54585e',
  'm-label-halo': 'rgba(244,244,240,.9)',
  'm-lamp-lit': '#d98a14',
  'm-lamp-off': '#8b8f96',
  'm-panel': 'rgba(255,255,255,.94)',
  'm-road-minor': '#f7f7f2',
  'm-lamp-2700': '#ff993c',
  'm-lamp-3500': '#ffcc8f',
  'm-lamp-5000': '#cce6ff',
};

export type Palette = typeof light;
export type ColorName = keyof Palette;

export const dark: Palette = {
  'c-ground': '#0b0e12',
  'c-surface': '#12161b',
  'c-raised': '#171c22',
  'c-sunken': '#0e1216',
  'c-fill': '#212830',
  'c-fill-hover': '#1a2027',
  'c-line': '#232a32',
  'c-line-strong': '#38414b',
  'c-input-line': '#68727e',
  'c-text': '#e9ebee',
  'c-text-2': '#aab1ba',
  'c-text-3': '#8b939d',
  'c-placeholder': '#8b939d',
  'c-disabled': '#59626c',
  'c-primary': '#5a9cf0',
  'c-primary-hover': '#82b5f5',
  'c-primary-press': '#3c89e8',
  'c-primary-solid': '#1f68d0',
  'c-on-primary': '#ffffff',
  'c-primary-soft': '#14253d',
  'c-primary-line': '#2b5590',
  'c-success-text': '#7fd05a',
  'c-warning-text': '#f0b34a',
  'c-error-text': '#f37370',
  'c-error-solid': '#d32f31',
  'c-success-soft': '#16241a',
  'c-warning-soft': '#2a2113',
  'c-error-soft': '#2d1718',
  'c-focus': '#82b5f5',
  's-on': '#61f6ad',
  's-dim': '#faac19',
  's-off': '#aab1ba',
  's-alarm': '#e44143',
  's-offline': '#788190',
  's-maint': '#b358ed',
  's-info': '#b9caf3',
  'st-on': '#61f6ad',
  'st-dim': '#faac19',
  'st-off': '#aab1ba',
  'st-alarm': '#f37370',
  'st-offline': '#98a1af',
  'st-maint': '#cb8bf5',
  'st-info': '#b9caf3',
  'c-light': '#ffb84d',
  'c-light-strong': '#ffd089',
  'c-light-soft': '#2b2214',
  'c-light-track': '#262b31',
  'c-night': 'rgba(120,150,220,.055)',
  'ch-1': '#e9ebee',
  'ch-2': '#5a9cf0',
  'ch-3': '#ffb84d',
  'ch-4': '#d22d80',
  'ch-5': '#9edd5f',
  'ch-6': '#63871d',
  'ch-7': '#5f5fdd',
  'ch-ref': '#7d8690',
  'ch-grid': '#1e242b',
  'ch-gap': 'rgba(170,177,186,.10)',
  'shadow-1': '0 1px 2px rgba(0,0,0,.4)',
  'shadow-2': '0 6px 20px -4px rgba(0,0,0,.5), 0 0 0 1px rgba(255,255,255,.05)',
  'shadow-3': '0 20px 60px -12px rgba(0,0,0,.7), 0 0 0 1px rgba(255,255,255,.06)',
  'c-scrim': 'rgba(4,6,9,.6)',
  'c-inverse': '#2b343e',
  'c-on-inverse': '#ffffff',
  'c-inverse-link': '#9cc4ff',
  'm-ground': '#0b0e12',
  'm-block': '#0f1318',
  'm-park': '#0c1312',
  'm-water': '#080c13',
  'm-road': '#1b2027',
  'm-road-minor': '#14181e',
  'm-express': '#1e242b',
  'm-label': '#98a1ad',
  'm-label-halo': 'rgba(8,11,15,.7)',
  'm-panel': 'rgba(16,20,25,.9)',
  'm-lamp-2700': '#ff993c',
  'm-lamp-3500': '#ffcc8f',
  'm-lamp-5000': '#cce6ff',
  'm-road-case': '#0b0e12',
  'm-lamp-lit': '#ffb84d',
  'm-lamp-off': '#5d6670',
};

export type ThemeName = 'light' | 'dark';
export const palettes: Record<ThemeName, Palette> = { light, dark };

/** Device states in the order of their weight; `s-*` paints the shape, `st-*` the word. */
export const stateNames = ['on', 'dim', 'off', 'alarm', 'offline', 'maint', 'info'] as const;
export type StateName = (typeof stateNames)[number];

type Accent = Pick<
  Palette,
  | 'c-primary'
  | 'c-primary-hover'
  | 'c-primary-press'
  | 'c-primary-solid'
  | 'c-primary-soft'
  | 'c-primary-line'
  | 'c-focus'
>;

/**
 * The colours that may act instead of blue (a setting). Each meets the same contrast as blue; none is a device state's.
 */
export const accents: Record<'indigo' | 'plum' | 'graphite', Record<ThemeName, Accent>> = {
  indigo: {
    light: {
      'c-primary': '#4540c4',
      'c-primary-hover': '#3833a6',
      'c-primary-press': '#2d2987',
      'c-primary-solid': '#4540c4',
      'c-primary-soft': '#eeeefb',
      'c-primary-line': '#b6b3ec',
      'c-focus': '#4540c4',
    },
    dark: {
      'c-primary': '#9795f7',
      'c-primary-hover': '#b3b1fa',
      'c-primary-press': '#7f7cf0',
      'c-primary-solid': '#5a55d6',
      'c-primary-soft': '#1d1e3d',
      'c-primary-line': '#45429a',
      'c-focus': '#b3b1fa',
    },
  },
  plum: {
    light: {
      'c-primary': '#a3216f',
      'c-primary-hover': '#881a5c',
      'c-primary-press': '#6d144a',
      'c-primary-solid': '#a3216f',
      'c-primary-soft': '#faecf4',
      'c-primary-line': '#e0a3c5',
      'c-focus': '#a3216f',
    },
    dark: {
      'c-primary': '#ee85bd',
      'c-primary-hover': '#f4a6cf',
      'c-primary-press': '#e0659f',
      'c-primary-solid': '#b93a83',
      'c-primary-soft': '#331829',
      'c-primary-line': '#7c2f5b',
      'c-focus': '#f4a6cf',
    },
  },
  graphite: {
    light: {
      'c-primary': '#33404d',
      'c-primary-hover': '#26313b',
      'c-primary-press': '#1a222a',
      'c-primary-solid': '#33404d',
      'c-primary-soft': '#e9edf0',
      'c-primary-line': '#a9b5c0',
      'c-focus': '#33404d',
    },
    dark: {
      'c-primary': '#b4c3d2',
      'c-primary-hover': '#cfd9e3',
      'c-primary-press': '#98aabb',
      'c-primary-solid': '#566778',
      'c-primary-soft': '#1c2630',
      'c-primary-line': '#445566',
      'c-focus': '#cfd9e3',
    },
  },
};
export type AccentName = 'blue' | keyof typeof accents;
export const accentNames: readonly AccentName[] = ['blue', 'indigo', 'plum', 'graphite'];

/** The palette in force: a theme with the accent a person chose. */
export function paletteOf(theme: ThemeName, accent: AccentName = 'blue'): Palette {
  return accent === 'blue' ? palettes[theme] : { ...palettes[theme], ...accents[accent][theme] };
}

/** Font size setting: what each text size becomes, in px (text, line height). */
export const fontSizes = {
  standard: {},
  large: { 12: [13, 20], 13: [14, 22], 14: [16, 24], 16: [18, 26], 20: [22, 30], 28: [30, 38] },
  largest: { 12: [14, 21], 13: [16, 24], 14: [18, 27], 16: [20, 28], 20: [24, 32], 28: [34, 42] },
} as const satisfies Record<string, Partial<Record<number, readonly [number, number]>>>;
export type FontSizeName = keyof typeof fontSizes;

/** From so wide a window on (CSS px) everything is larger by a factor: a wall is read from farther away. */
export const screenScales = [
  { from: 2560, factor: 1.25 },
  { from: 3840, factor: 1.6 },
] as const;

/** Density setting: the height of a table row in px. */
export const rowHeights = { compact: 32, standard: 40, loose: 48 } as const;
export type DensityName = keyof typeof rowHeights;
