// @vitest-environment node
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { contrast, deltaE, visions } from './color-science.ts';
import { seriesColors } from './chart-theme.ts';
import { mapColors } from './map-colors.ts';
import { tokensCss } from './css.ts';
import { accentNames, paletteOf, stateNames, type ColorName, type ThemeName } from './tokens.ts';

const themes: ThemeName[] = ['light', 'dark'];
const grounds: ColorName[] = ['c-ground', 'c-surface', 'c-raised', 'c-sunken', 'c-primary-soft'];

/** `off` is ink itself (a hollow ring): told apart by shape, as the palette's own figures have it. */
const colored = stateNames.filter((name) => name !== 'off');
const pairs = colored.flatMap((one, index) => colored.slice(index + 1).map((other) => [one, other] as const));

test('tokens.css is what tokens.ts says (node console/src/theme/write-css.ts)', () => {
  expect(readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')).toBe(tokensCss());
});

describe.each(themes)('%s', (theme) => {
  const palette = paletteOf(theme);

  test('every state shape stands out 3:1 from every ground it lies on', () => {
    for (const state of stateNames)
      for (const ground of grounds)
        expect(contrast(palette[`s-${state}`], palette[ground]), `${state} on ${ground}`).toBeGreaterThanOrEqual(3);
  });

  test('every state word is readable 4.5:1 on every ground', () => {
    for (const state of stateNames)
      for (const ground of grounds)
        expect(contrast(palette[`st-${state}`], palette[ground]), `${state} on ${ground}`).toBeGreaterThanOrEqual(4.5);
  });

  test.each(Object.entries(visions))('two states never look alike to %s eyes: ΔE00 at least 17.8', (_, vision) => {
    for (const [one, other] of pairs)
      expect(deltaE(palette[`s-${one}`], palette[`s-${other}`], vision), `${one} and ${other}`).toBeGreaterThanOrEqual(
        17.8,
      );
  });

  test.each(Object.entries(visions))(
    'on a map what is well and what is not differ in lightness too, to %s eyes: 1.85:1, ΔE00 at least 15.5',
    (_, vision) => {
      const { states, ground } = mapColors(theme);
      expect(contrast(states.on, states.alarm), 'on and alarm').toBeGreaterThanOrEqual(1.85);
      for (const state of ['alarm', 'offline', 'maint', 'dim'] as const)
        expect(deltaE(states.on, states[state], vision), `on and ${state}`).toBeGreaterThanOrEqual(15.5);
      expect(contrast(states.on, ground), 'on and the ground').toBeGreaterThanOrEqual(3);
    },
  );

  test('text of every rank is readable 4.5:1 on every ground it may stand on', () => {
    const texts: ColorName[] = ['c-text', 'c-text-2', 'c-text-3', 'c-success-text', 'c-warning-text', 'c-error-text'];
    for (const text of texts)
      for (const ground of [...grounds, 'c-fill'] as ColorName[]) {
        expect(contrast(palette[text], palette[ground]), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
      }
  });

  test.each(accentNames)('%s acts readably: as a link, under white words, as a focus ring', (accent) => {
    const p = paletteOf(theme, accent);
    for (const ground of ['c-ground', 'c-surface', 'c-raised', 'c-fill', 'c-primary-soft'] as const)
      expect(contrast(p['c-primary'], p[ground]), `link on ${ground}`).toBeGreaterThanOrEqual(4.5);
    expect(contrast(p['c-on-primary'], p['c-primary-solid']), 'words on the solid button').toBeGreaterThanOrEqual(4.5);
    for (const ground of ['c-ground', 'c-surface', 'c-raised'] as const)
      expect(contrast(p['c-focus'], p[ground]), `focus on ${ground}`).toBeGreaterThanOrEqual(3);
  });

  test.each(Object.entries(visions))(
    'two curves of one picture never look alike to %s eyes, and each stands out 3:1',
    (_, vision) => {
      seriesColors.forEach((one, index) => {
        for (const ground of ['c-surface', 'c-raised'] as const)
          expect(contrast(palette[one], palette[ground]), `${one} on ${ground}`).toBeGreaterThanOrEqual(3);
        for (const other of seriesColors.slice(index + 1))
          expect(deltaE(palette[one], palette[other], vision), `${one} and ${other}`).toBeGreaterThanOrEqual(15);
      });
    },
  );

  test('the edges of fields are visible 3:1', () => {
    expect(contrast(palette['c-input-line'], palette['c-surface'])).toBeGreaterThanOrEqual(3);
  });
});

test('contrast and difference agree with published examples', () => {
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  expect(deltaE('#ffffff', '#ffffff')).toBe(0);
  expect(deltaE('#000000', '#ffffff')).toBeCloseTo(100, 1);
});
