import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { GlobalFonts } from '@napi-rs/canvas';

/**
 * Of every writing whose files are read (`platform/table-file`); what is in none of them is drawn with a font of the
 * machine.
 */
const packages = ['noto-sans-sc', 'noto-sans-kr', 'noto-sans-thai', 'noto-sans-hebrew', 'noto-sans-arabic'] as const;
interface Slice {
  readonly file: string;
  readonly alias: string;
  readonly ranges: readonly (readonly [from: number, to: number])[];
}

/**
 * The slices the fonts come in, each with the characters it has. Chinese writing of both kinds, kana, Latin and
 * Cyrillic letters are in the first font, hangul and Greek in the second.
 */
function readSlices(): Slice[] {
  const { resolve } = createRequire(import.meta.url);
  return packages.flatMap((name) => {
    const folder = dirname(resolve(`@fontsource-variable/${name}/package.json`));
    const unicode = JSON.parse(readFileSync(join(folder, 'unicode.json'), 'utf8')) as Record<string, string>;
    return Object.entries(unicode).map(([key, text]): Slice => {
      const slice = key.replace(/[[\]]/g, '');
      const ranges = text.split(',').map((range) => {
        const [from = '0', to = from] = range.replace(/^U\+/i, '').split('-');
        return [parseInt(from, 16), parseInt(to, 16)] as const;
      });
      return {
        file: join(folder, 'files', `${name}-${slice}-wght-normal.woff2`),
        alias: `label ${name} ${slice}`,
        ranges,
      };
    });
  });
}

/** Finds the fonts that a text needs; each is read when the first text needs it. */
export function createLabelFonts(): (text: string) => string {
  const slices = readSlices();
  const read = new Set<Slice>();
  const known = new Map<number, Slice | undefined>();
  const sliceOf = (point: number): Slice | undefined => {
    if (!known.has(point))
      known.set(
        point,
        slices.find(({ ranges }) => ranges.some(([from, to]) => point >= from && point <= to)),
      );
    return known.get(point);
  };
  return (text) => {
    const needed = new Set([...text].flatMap((sign) => sliceOf(sign.codePointAt(0) ?? 0) ?? []));
    for (const slice of needed) {
      if (!read.has(slice)) GlobalFonts.registerFromPath(slice.file, slice.alias);
      read.add(slice);
    }
    return [...[...needed].map(({ alias }) => `"${alias}"`), 'sans-serif'].join(', ');
  };
}
