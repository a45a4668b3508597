/** @jsxImportSource preact */
import { useEffect } from 'preact/hooks';
import { preloadConsole } from './console-preload.ts';
import { arrival } from './route.ts';
import { useTexts } from './texts.ts';

/** Long enough to read the success message, which the console's own page load would otherwise swallow. */
const READABLE_MS = 700;
/** A slow network shows the browser's own progress after this. */
const PATIENCE_MS = 8_000;

const after = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));

/** /login-loading: says that it worked while the console's files arrive, then goes to /home. */
export function LoadingPage() {
  const t = useTexts();
  useEffect(() => {
    let left = false;
    void Promise.all([Promise.race([preloadConsole(), after(PATIENCE_MS)]), after(READABLE_MS)]).then(() => {
      if (!left) window.location.replace('/home');
    });
    return () => {
      left = true;
    };
  }, []);
  return (
    <div class="loading" role="status">
      <p class="loading-what">
        <span class="loading-lamp" aria-hidden="true" />
        {t(arrival() ?? 'opening')}
      </p>
      <div class="loading-bar" aria-hidden="true" />
      <p class="sub">{t('opening')}</p>
    </div>
  );
}
