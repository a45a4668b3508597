import { theme as antdTheme, type ThemeConfig } from 'antd';
import { fontSizes, paletteOf, type AccentName, type FontSizeName, type Palette, type ThemeName } from './tokens.ts';

export interface Appearance {
  theme: ThemeName;
  accent: AccentName;
  fontSize: FontSizeName;
  /** CSS stack of the language in force. */
  fontFamily: string;
  reducedMotion: boolean;
  /** By the width of the window (`screenScales`). */
  scale: number;
}

const px = (size: 12 | 13 | 14 | 16 | 20, name: FontSizeName, scale: number): readonly [number, number] => {
  const scaled: Partial<Record<number, readonly [number, number]>> = fontSizes[name];
  const own: Record<number, readonly [number, number]> = {
    12: [12, 18],
    13: [13, 20],
    14: [14, 22],
    16: [16, 24],
    20: [20, 28],
  };
  const [font, line] = scaled[size] ?? own[size] ?? [14, 22];
  return [Math.round(font * scale), Math.round(line * scale)];
};

const mix = (color: string, percent: number): string => `color-mix(in srgb, ${color} ${percent}%, transparent)`;

/** A colour darkened to so many percent of itself: what a solid button looks like under the pointer. */
const shade = (color: string, percent: number): string => `color-mix(in srgb, ${color} ${percent}%, #000)`;

function colors(p: Palette): NonNullable<ThemeConfig['token']> {
  return {
    colorPrimary: p['c-primary-solid'],
    colorInfo: p['c-primary-solid'],
    colorPrimaryHover: p['c-primary-hover'],
    colorPrimaryActive: p['c-primary-press'],
    colorPrimaryText: p['c-primary'],
    colorPrimaryBg: p['c-primary-soft'],
    colorPrimaryBgHover: p['c-primary-soft'],
    colorPrimaryBorder: p['c-primary-line'],
    colorLink: p['c-primary'],
    colorLinkHover: p['c-primary-hover'],
    colorLinkActive: p['c-primary-press'],
    colorSuccess: p['c-success-text'],
    colorWarning: p['c-warning-text'],
    colorError: p['c-error-text'],
    colorSuccessBg: p['c-success-soft'],
    colorWarningBg: p['c-warning-soft'],
    colorErrorBg: p['c-error-soft'],
    colorText: p['c-text'],
    colorTextSecondary: p['c-text-2'],
    colorTextTertiary: p['c-text-3'],
    colorTextQuaternary: p['c-text-3'],
    colorTextHeading: p['c-text'],
    colorTextLabel: p['c-text-2'],
    colorTextDescription: p['c-text-3'],
    colorIcon: p['c-text-2'],
    colorIconHover: p['c-text'],
    colorTextPlaceholder: p['c-placeholder'],
    colorTextDisabled: p['c-disabled'],
    // A button at work turns its wheel; its text stays as legible as before.
    opacityLoading: 1,
    colorTextLightSolid: p['c-on-primary'],
    colorBgLayout: p['c-ground'],
    colorBgContainer: p['c-surface'],
    colorBgElevated: p['c-raised'],
    colorBgSpotlight: p['c-inverse'],
    colorBgMask: p['c-scrim'],
    colorBgContainerDisabled: p['c-sunken'],
    colorBorder: p['c-line-strong'],
    colorBorderSecondary: p['c-line'],
    colorSplit: p['c-line'],
    colorFill: p['c-fill'],
    colorFillSecondary: p['c-fill'],
    colorFillTertiary: p['c-fill-hover'],
    colorFillQuaternary: p['c-sunken'],
    controlItemBgActive: p['c-primary-soft'],
    controlItemBgHover: p['c-fill-hover'],
    controlItemBgActiveHover: p['c-primary-soft'],
    controlOutline: mix(p['c-focus'], 20),
    boxShadow: p['shadow-3'],
    boxShadowSecondary: p['shadow-2'],
    boxShadowTertiary: p['shadow-1'],
  };
}

function components(
  p: Palette,
  dark: boolean,
  { fontSize, scale }: Appearance,
): NonNullable<ThemeConfig['components']> {
  const [fs12] = px(12, fontSize, scale);
  const [fs13] = px(13, fontSize, scale);
  const field = { colorBorder: p['c-input-line'], hoverBorderColor: p['c-text-2'], activeBorderColor: p['c-focus'] };
  return {
    Layout: { headerBg: p['c-surface'], siderBg: p['c-ground'], headerHeight: Math.round(52 * scale) },
    Menu: {
      itemHeight: Math.round(34 * scale),
      itemBorderRadius: 6,
      itemSelectedBg: p['c-fill'],
      itemSelectedColor: p['c-text'],
      activeBarBorderWidth: 0,
      activeBarHeight: 0,
    },
    Table: {
      headerBg: p['c-sunken'],
      headerColor: p['c-text-2'],
      headerSplitColor: 'transparent',
      rowSelectedBg: p['c-primary-soft'],
      rowSelectedHoverBg: p['c-primary-soft'],
      rowHoverBg: p['c-fill-hover'],
      cellFontSize: fs13,
      headerBorderRadius: 0,
      borderColor: p['c-line'],
    },
    Input: field,
    InputNumber: field,
    // Days of the neighbouring months are drawn as disabled though they can be chosen: they must be readable.
    DatePicker: { ...field, colorTextDisabled: p['c-text-3'] },
    Cascader: { colorBorder: p['c-input-line'] },
    TreeSelect: { colorBorder: p['c-input-line'] },
    Select: {
      colorBorder: p['c-input-line'],
      hoverBorderColor: p['c-text-2'],
      activeBorderColor: p['c-focus'],
      optionSelectedBg: p['c-fill'],
      optionSelectedFontWeight: 500,
      multipleItemBg: p['c-fill'],
    },
    Checkbox: { colorBorder: p['c-input-line'] },
    Radio: { colorBorder: p['c-input-line'] },
    Segmented: {
      trackBg: p['c-fill'],
      itemSelectedBg: dark ? '#323b45' : p['c-surface'],
      itemColor: p['c-text-2'],
      itemHoverBg: p['c-fill-hover'],
    },
    Button: {
      fontWeight: 500,
      primaryShadow: 'none',
      defaultShadow: 'none',
      dangerShadow: 'none',
      contentFontSize: fs13,
      contentFontSizeSM: fs12,
      colorPrimaryHover: shade(p['c-primary-solid'], 88),
      colorPrimaryActive: shade(p['c-primary-solid'], 76),
      defaultHoverBg: p['c-fill-hover'],
      defaultHoverColor: p['c-text'],
      defaultHoverBorderColor: p['c-input-line'],
      defaultActiveBg: p['c-fill'],
      defaultActiveColor: p['c-text'],
      defaultActiveBorderColor: p['c-input-line'],
    },
    Card: { headerBg: 'transparent', headerFontSize: px(16, fontSize, scale)[0] },
    Slider: {
      trackBg: p['c-light'],
      trackHoverBg: p['c-light'],
      railBg: p['c-light-track'],
      railHoverBg: p['c-light-track'],
      handleColor: p['c-light'],
      handleActiveColor: p['c-light'],
      dotActiveBorderColor: p['c-light'],
      handleActiveOutlineColor: mix(p['c-light'], 24),
    },
    Progress: { defaultColor: p['c-text'], remainingColor: p['c-fill'] },
    Switch: {
      colorPrimary: p['c-primary-solid'],
      colorTextQuaternary: p['c-input-line'],
      colorTextTertiary: p['c-text-3'],
    },
    Tag: { defaultBg: p['c-fill'], defaultColor: p['c-text-2'] },
    Form: { labelColor: p['c-text-2'], itemMarginBottom: 16, verticalLabelPadding: '0 0 6px' },
    Tooltip: { colorBgSpotlight: p['c-inverse'], colorTextLightSolid: p['c-on-inverse'] },
    Pagination: { itemActiveBg: p['c-fill'], itemActiveColor: p['c-text'], itemActiveColorHover: p['c-text'] },
    Drawer: { colorBgElevated: p['c-raised'] },
    Modal: { contentBg: p['c-raised'], headerBg: p['c-raised'] },
    Tree: { nodeSelectedBg: p['c-fill'], titleHeight: Math.round(34 * scale), nodeHoverBg: p['c-fill-hover'] },
  };
}

/**
 * antd derives these from their seeds by its algorithm, after our values; put back here so that they are exactly ours.
 */
const exact = ['colorPrimary', 'colorInfo', 'colorLink', 'colorSuccess', 'colorWarning', 'colorError'] as const;

/** The antd theme of an appearance; look/README.md lists which token comes from where. */
export function antdThemeOf(look: Appearance): ThemeConfig {
  const p = paletteOf(look.theme, look.accent);
  const dark = look.theme === 'dark';
  const { scale } = look;
  const [fontSize, lineHeight] = px(14, look.fontSize, scale);
  const ours = colors(p);
  const derive = dark ? antdTheme.darkAlgorithm : antdTheme.defaultAlgorithm;
  return {
    algorithm: (seed, map) => ({
      ...derive(seed, map),
      ...Object.fromEntries(exact.map((name) => [name, ours[name]])),
    }),
    cssVar: { key: `lampyris-${look.theme}-${look.accent}-${look.fontSize}-${scale}` },
    hashed: false,
    token: {
      ...ours,
      fontFamily: look.fontFamily,
      fontSize,
      fontSizeSM: px(12, look.fontSize, scale)[0],
      fontSizeLG: px(16, look.fontSize, scale)[0],
      lineHeight: lineHeight / fontSize,
      fontWeightStrong: 600,
      borderRadius: 6,
      borderRadiusXS: 3,
      borderRadiusSM: 6,
      borderRadiusLG: 12,
      controlHeight: Math.round(32 * scale),
      controlHeightSM: Math.round(26 * scale),
      controlHeightLG: Math.round(40 * scale),
      motionDurationFast: '90ms',
      motionDurationMid: '140ms',
      motionDurationSlow: '200ms',
      motion: !look.reducedMotion,
      zIndexPopupBase: 100,
      lineWidthFocus: 2,
    },
    components: components(p, dark, look),
  };
}
