/** @jsxImportSource preact */
import { useEffect, useState } from 'preact/hooks';
import { loadAppearance, type Appearance } from './appearance.ts';
import type { Entry } from './enter.ts';
import { LoadingPage } from './LoadingPage.tsx';
import { LoginPage } from './login/LoginPage.tsx';
import { Frame } from './parts/Frame.tsx';
import { usePage } from './route.ts';
import { UpdatePasswordPage } from './update-password/UpdatePasswordPage.tsx';

/** The three pages before the console, in one frame. */
export function App({ entry }: { entry: Entry }) {
  const page = usePage();
  const [appearance, setAppearance] = useState<Appearance>();
  const [unsaved, setUnsaved] = useState(false);
  useEffect(() => {
    void loadAppearance().then(setAppearance);
  }, []);
  return (
    <Frame appearance={appearance} notice={entry.notice} unsaved={unsaved}>
      {page === 'login' && <LoginPage entry={entry} onTyped={setUnsaved} />}
      {page === 'loading' && <LoadingPage />}
      {page === 'update-password' && <UpdatePasswordPage onTyped={setUnsaved} />}
    </Frame>
  );
}
