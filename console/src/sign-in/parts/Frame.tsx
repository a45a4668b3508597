/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { EXPIRED_WARNING_MS, type SignInNotice } from '../../session/index.ts';
import type { Appearance } from '../appearance.ts';
import { backdrop } from '../backdrop.ts';
import { useTexts } from '../texts.ts';
import { Icon } from './icons.tsx';
import { LanguageSelect } from './LanguageSelect.tsx';

function Brand({ appearance }: { appearance: Appearance | undefined }) {
  const t = useTexts();
  const [broken, setBroken] = useState(false);
  const logo = broken ? undefined : appearance?.logo;
  return (
    <p class={appearance === undefined ? 'brand waiting' : 'brand'}>
      <img src={logo ?? '/media/logo.svg'} alt="" height={30} onError={() => setBroken(true)} />
      <span>{appearance?.name ?? t('product')}</span>
    </p>
  );
}

/** Moving pictures longer than five seconds need a way to stop them (WCAG 2.2.2). */
function FilmSwitch() {
  const t = useTexts();
  const [{ available, playing }, setFilm] = useState(backdrop.get);
  useEffect(() => backdrop.subscribe(() => setFilm(backdrop.get())), []);
  if (!available) return null;
  return (
    <button
      type="button"
      class="film-switch"
      title={t(playing ? 'pauseFilm' : 'playFilm')}
      aria-label={t(playing ? 'pauseFilm' : 'playFilm')}
      onClick={backdrop.toggle}
    >
      <Icon name={playing ? 'pause' : 'play'} />
    </button>
  );
}

/** Warnings (specified 10.7) stand two seconds; what explains why this page opened stays. */
function Notice({ notice }: { notice: SignInNotice | undefined }) {
  const t = useTexts();
  const [shown, setShown] = useState(notice);
  useEffect(() => {
    if (notice !== 'expired' && notice !== 'signedOut') return undefined;
    const timer = setTimeout(() => setShown(undefined), EXPIRED_WARNING_MS);
    return () => clearTimeout(timer);
  }, [notice]);
  return (
    <div class="notice-place" role={notice === 'signedOut' ? 'status' : 'alert'}>
      {shown !== undefined && (
        <p class="notice">
          <Icon name={shown === 'signedOut' ? 'info' : 'warning'} />
          {t(`notice.${shown}`)}
        </p>
      )}
    </div>
  );
}

interface FrameProps {
  appearance: Appearance | undefined;
  notice: SignInNotice | undefined;
  unsaved: boolean;
  children: ComponentChildren;
}

/** Brand, language, the panel, the sentence: the same around all three pages. */
export function Frame({ appearance, notice, unsaved, children }: FrameProps) {
  const t = useTexts();
  return (
    <>
      <header class="top">
        <Brand appearance={appearance} />
        <LanguageSelect unsaved={unsaved} />
      </header>
      <Notice notice={notice} />
      <main class="panel">{children}</main>
      <footer class="foot">
        <p class="slogan">{t('slogan')}</p>
        <FilmSwitch />
      </footer>
    </>
  );
}
