/** @jsxImportSource preact */
import { useEffect, useRef, useState } from 'preact/hooks';
import { chooseLocale, currentLocale, languages, type Locale } from '../../session/index.ts';
import { useTexts } from '../texts.ts';
import { Icon } from './icons.tsx';

function change(locale: Locale): void {
  chooseLocale(locale);
  window.location.reload();
}

function Ask({ onStay, onReload }: { onStay: () => void; onReload: () => void }) {
  const t = useTexts();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="ask" aria-labelledby="ask-text" onClose={onStay}>
      <p id="ask-text">{t('askLanguage')}</p>
      <form method="dialog">
        <button class="plain">{t('askStay')}</button>
        <button type="button" class="go" onClick={onReload}>
          {t('askReload')}
        </button>
      </form>
    </dialog>
  );
}

/** Six languages; choosing one stores it and reloads, after asking when something is typed (specified 1.14). */
export function LanguageSelect({ unsaved }: { unsaved: boolean }) {
  const t = useTexts();
  const [wanted, setWanted] = useState<Locale>();
  return (
    <>
      <label class="language">
        <Icon name="globe" />
        <span class="hidden">{t('language')}</span>
        <select
          value={wanted ?? currentLocale()}
          onChange={(event) => {
            const locale = event.currentTarget.value as Locale;
            if (unsaved) setWanted(locale);
            else change(locale);
          }}
        >
          {languages.map(({ locale, tag, name }) => (
            <option key={locale} value={locale} lang={tag}>
              {name}
            </option>
          ))}
        </select>
        <Icon name="down" size={12} />
      </label>
      {wanted !== undefined && <Ask onStay={() => setWanted(undefined)} onReload={() => change(wanted)} />}
    </>
  );
}
