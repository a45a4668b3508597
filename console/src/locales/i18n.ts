import { createInstance, type BackendModule, type i18n as I18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { currentTag, type LanguageTag } from '../session/index.ts';
import { pseudoArea } from './pseudo.ts';
import type { AreaName } from './areas.ts';
import { ChunkLoadError, loadChunk } from '../api/load-chunk.ts';
import { readTexts } from './text-files.ts';

/** The pseudo-language exists in development and test builds only: `?lang=pseudo`. */
const pseudoAllowed = import.meta.env.DEV || import.meta.env.MODE === 'test';
export const isPseudo = (search: string = window.location.search): boolean =>
  pseudoAllowed && new URLSearchParams(search).get('lang') === 'pseudo';

async function readArea(language: string, area: string): Promise<Readonly<Record<string, string>>> {
  const fromPseudo = language === 'en-XA';
  const texts = await loadChunk(`texts-${area}`, async () => readTexts(area, fromPseudo ? 'en-US' : language));
  if (!texts) throw new Error(`no texts of area ${area} in ${language}`);
  return fromPseudo ? pseudoArea(texts) : texts;
}

const backend: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read: (language, area, done) => {
    readArea(language, area).then(
      (texts) => done(null, texts),
      // `true`: i18next reads a file again that did not come.
      (error: unknown) => done(error instanceof Error ? error : String(error), error instanceof ChunkLoadError),
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
      maxRetries: 2,
      interpolation: { escapeValue: false },
      react: { useSuspense: true },
    });
  return instance;
}
