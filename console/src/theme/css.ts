import { accents, base, dark, fontSizes, light, rowHeights, screenScales } from './tokens.ts';

const lines = (tokens: Record<string, string>): string =>
  Object.entries(tokens)
    .map(([name, value]) => `  --${name}: ${value};`)
    .join('\n');

const block = (selector: string, tokens: Record<string, string>, head = ''): string =>
  `${selector} {\n${head}${lines(tokens)}\n}`;

function fontSizeTokens(sizes: Partial<Record<number, readonly [number, number]>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(sizes).flatMap(([size, pair]) =>
      pair
        ? [
            [`fs-${size}`, `${pair[0]}px`],
            [`lh-${size}`, `${pair[1]}px`],
          ]
        : [],
    ),
  );
}

/** Sizes that grow with the screen: type, spaces, heights, widths and corners. */
const grows = /^(fs|lh|sp|h|w|r)-/;

function scaled(tokens: Record<string, string>, factor: number): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tokens).flatMap(([name, value]) => {
      const [, px] = /^(\d+)px$/.exec(value) ?? [];
      return grows.test(name) && px !== undefined ? [[name, `${Math.round(Number(px) * factor)}px`]] : [];
    }),
  );
}

/** The sizes of a screen of at least `from` px: over the base, the chosen size of type and the chosen density. */
function screenSizes({ from, factor }: (typeof screenScales)[number]): string {
  return `@media screen and (min-width: ${from}px) {\n${[
    block(':root', scaled(base, factor)),
    ...Object.entries(fontSizes).flatMap(([name, sizes]) =>
      Object.keys(sizes).length > 0 ? [block(`[data-font-size="${name}"]`, scaled(fontSizeTokens(sizes), factor))] : [],
    ),
    ...Object.entries(rowHeights).map(([name, px]) =>
      block(`[data-density="${name}"]`, { 'h-row': `${Math.round(px * factor)}px` }),
    ),
  ].join('\n')}\n}`;
}

const onScreen = (css: string): string => `@media screen {\n${css}\n}`;

/**
 * The text of `tokens.css`, our own tokens: base, both themes (dark also by the system's wish until a theme is set),
 * accents, sizes, density. On paper our own tokens are light whatever the screen is.
 */
export function tokensCss(): string {
  const parts = [
    block(':root', base),
    '@media (prefers-reduced-motion: reduce) { :root { --t-fast: 0ms; --t-base: 0ms; --t-slow: 0ms; } }',
    block(':root, [data-theme="light"]', light, '  color-scheme: light;\n'),
    onScreen(block('[data-theme="dark"]', dark, '  color-scheme: dark;\n')),
    `@media screen and (prefers-color-scheme: dark) {\n${block(':root:not([data-theme])', dark, '  color-scheme: dark;\n')}\n}`,
    ...Object.entries(accents).flatMap(([name, themes]) => [
      block(`[data-accent="${name}"]`, themes.light),
      onScreen(
        block(`[data-accent="${name}"][data-theme="dark"], [data-accent="${name}"] [data-theme="dark"]`, themes.dark),
      ),
    ]),
    ...Object.entries(fontSizes).flatMap(([name, sizes]) =>
      Object.keys(sizes).length > 0 ? [block(`[data-font-size="${name}"]`, fontSizeTokens(sizes))] : [],
    ),
    ...Object.entries(rowHeights).map(([name, px]) => block(`[data-density="${name}"]`, { 'h-row': `${px}px` })),
    ...screenScales.map(screenSizes),
    ':root:lang(zh-TW) { --font-sans: var(--font-sans-tc); }\n:root:lang(ja) { --font-sans: var(--font-sans-ja); }\n:root:lang(ko) { --font-sans: var(--font-sans-ko); }',
  ];
  return `/* Written by console/src/theme/write-css.ts from tokens.ts: edit there. */\n${parts.join('\n')}\n`;
}
