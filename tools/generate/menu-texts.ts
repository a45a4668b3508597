import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { languages } from '../../catalogue/languages.ts';
import { texts } from '../../catalogue/locales/index.ts';
import { familyPageNames, familyPages } from '../../contract/family-pages.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The words of the menu by path, those of the families' pages as the catalogue has them: the menu is shown before the
 * catalogue's names are fetched.
 */
export function menuTexts(): Map<string, string> {
  return new Map(
    languages.map((language) => {
      const path = `console/src/frame/menu/texts/${language}.json`;
      const written = JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, string>;
      const own = Object.entries(written).filter(([key]) => !Object.hasOwn(familyPages, key));
      const ofFamilies = familyPageNames.map((name) => [name, texts[language].familyPage[familyPages[name].family]]);
      return [path, `${JSON.stringify(Object.fromEntries([...own, ...ofFamilies]), null, 2)}\n`];
    }),
  );
}
