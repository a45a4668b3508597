/** @jsxImportSource preact */
import { useEffect, useState } from 'preact/hooks';
import { loadAppearance, type Appearance } from './appearance.ts';
import type { Entry } from './enter.ts';
import { LoadingPage } from './LoadingPage.tsx';
import { LoginPage } from './login/LoginPage.tsx';
import { Frame } from './parts/Frame.tsx';
import { usePage } from './route.ts';
import { UpdatePasswordPage } from './update-password/UpdatePasswordPage.tsx';

/** A branded site should not flash the product's own name first; a slow answer should not leave the place empty. */
const WAIT_FOR_BRAND_MS = 1_000;

/** The three pages before the console, in one frame. */
export function App({ entry }: { entry: Entry }) {
  const page = usePage();
  const [appearance, setAppearance] = useState<Appearance>();
  const [unsaved, setUnsaved] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setAppearance((before) => before ?? {}), WAIT_FOR_BRAND_MS);
    void loadAppearance().then(setAppearance);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Frame appearance={appearance} notice={entry.notice} unsaved={unsaved}>
      {page === 'login' && <LoginPage entry={entry} onTyped={setUnsaved} />}
      {page === 'loading' && <LoadingPage />}
      {page === 'update-password' && <UpdatePasswordPage onTyped={setUnsaved} />}
    </Frame>
  );
}
