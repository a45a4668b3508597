import { createInstance, type BackendModule, type i18n as I18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { currentTag, type LanguageTag } from '../session/index.ts';
import { pseudoArea } from './pseudo.ts';
import type { AreaName } from './areas.ts';

type AreaFile = { default: Record<string, string> };
/** The sign-in page is an entry of its own with texts of its own. */
const files = import.meta.glob<AreaFile>(['../**/texts/*.json', '!../sign-in/**']);
/** An area is called as the folder whose texts it has: `lists/en-US` is `parts/lists/texts/en-US.json`. */
const loaders = new Map(
  Object.entries(files).map(([path, load]) => [path.replace(/^.*?([^/]+)\/texts\/([^/]+)\.json$/, '$1/$2'), load]),
);

/** The pseudo-language exists in development and test builds only: `?lang=pseudo`. */
const pseudoAllowed = import.meta.env.DEV || import.meta.env.MODE === 'test';
export const isPseudo = (search: string = window.location.search): boolean =>
  pseudoAllowed && new URLSearchParams(search).get('lang') === 'pseudo';

async function readArea(language: string, area: string): Promise<Record<string, string>> {
  const fromPseudo = language === 'en-XA';
  const load = loaders.get(`${area}/${fromPseudo ? 'en-US' : language}`);
  if (!load) throw new Error(`no texts of area ${area} in ${language}`);
  const texts = (await load()).default;
  return fromPseudo ? pseudoArea(texts) : texts;
}

const backend: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read: (language, area, done) => {
    readArea(language, area).then(
      (texts) => done(null, texts),
      (error: unknown) => done(error instanceof Error ? error : String(error), false),
    );
  },
};

/** Areas every page needs at once; the rest comes with its screen. */
const firstAreas: AreaName[] = ['shell', 'parts', 'menu'];

/** Starts the texts in a language; resolves when the shell's are there. Sets `lang` on `<html>`. */
export async function startI18n(tag: LanguageTag = currentTag()): Promise<I18n> {
  const instance = createInstance();
  const language = isPseudo() ? 'en-XA' : tag;
  document.documentElement.lang = tag;
  await instance
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: language,
      fallbackLng: false,
      ns: firstAreas,
      defaultNS: 'shell',
      keySeparator: false,
      nsSeparator: false,
      returnNull: false,
      load: 'currentOnly',
      interpolation: { escapeValue: false },
      react: { useSuspense: true },
    });
  return instance;
}
