/** @jsxImportSource preact */
import { useRef, useState } from 'preact/hooks';
import { chooseLocale, currentLocale, languages, type Locale } from '../../session/index.ts';
import { useTexts } from '../texts.ts';
import { Icon } from './icons.tsx';

function change(locale: Locale): void {
  chooseLocale(locale);
  window.location.reload();
}

/** Six languages; choosing one stores it and reloads, after asking when something is typed (decisions 2). */
export function LanguageSelect({ unsaved }: { unsaved: boolean }) {
  const t = useTexts();
  const ask = useRef<HTMLDialogElement>(null);
  const [wanted, setWanted] = useState<Locale>();
  const choose = (locale: Locale): void => {
    if (!unsaved) return change(locale);
    setWanted(locale);
    ask.current?.showModal();
  };
  return (
    <>
      <label class="language">
        <Icon name="globe" />
        <span class="hidden">{t('language')}</span>
        <select value={wanted ?? currentLocale()} onChange={(event) => choose(event.currentTarget.value as Locale)}>
          {languages.map(({ locale, tag, name }) => (
            <option key={locale} value={locale} lang={tag}>
              {name}
            </option>
          ))}
        </select>
        <Icon name="down" size={12} />
      </label>
      <dialog ref={ask} class="ask" aria-labelledby="ask-text" onClose={() => setWanted(undefined)}>
        <p id="ask-text">{t('askLanguage')}</p>
        <form method="dialog">
          <button class="plain">{t('askStay')}</button>
          <button type="button" class="go" onClick={() => wanted !== undefined && change(wanted)}>
            {t('askReload')}
          </button>
        </form>
      </dialog>
    </>
  );
}
