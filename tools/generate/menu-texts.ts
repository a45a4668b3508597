import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { languages, type Language } from '../../catalogue/languages.ts';
import { texts } from '../../catalogue/locales/index.ts';
import { familyPageNames, familyPages } from '../../contract/family-pages.ts';
import { screenEntries } from './screen-areas.ts';

const source = fileURLToPath(new URL('../../console/src', import.meta.url));
const readTexts = (folder: string, language: Language): Record<string, string> => {
  const file = join(source, folder, `texts/${language}.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {};
};

/**
 * The words of the menu by path. The menu is shown before a screen's texts and the catalogue's names are fetched: the
 * word of a screen is copied from `menu` of its texts, that of a family's page from the catalogue; sections, buttons and
 * screens without texts of their own have theirs here.
 */
export function menuTexts(): Map<string, string> {
  return new Map(
    languages.map((language) => {
      const ofScreens = screenEntries().flatMap(([name, path]) => {
        const word = path.endsWith('/index.tsx') ? readTexts(join('screens', path, '..'), language)['menu'] : undefined;
        return word === undefined ? [] : [[name, word] as const];
      });
      const ofFamilies = familyPageNames.map(
        (name) => [name, texts[language].familyPage[familyPages[name].family]] as const,
      );
      const words = new Map([...Object.entries(readTexts('frame/menu', language)), ...ofScreens, ...ofFamilies]);
      return [
        `console/src/frame/menu/texts/${language}.json`,
        `${JSON.stringify(Object.fromEntries(words), null, 2)}\n`,
      ];
    }),
  );
}
