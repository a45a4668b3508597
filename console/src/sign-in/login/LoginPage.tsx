/** @jsxImportSource preact */
import { useCallback, useEffect, useState } from 'preact/hooks';
import { onSessionElsewhere, storedUsername } from '../../session/index.ts';
import type { Entry } from '../enter.ts';
import { useTexts } from '../texts.ts';
import { LinkPanel } from './LinkPanel.tsx';
import { LoginForm } from './LoginForm.tsx';

/** Another tab has signed in while this one showed the form: one click follows it. */
function Elsewhere() {
  const t = useTexts();
  const [name, setName] = useState<string>();
  useEffect(() => onSessionElsewhere((change) => setName(change === 'replaced' ? storedUsername() : undefined)), []);
  return (
    <div role="status">
      {name !== undefined && (
        <p class="alert info">
          <span>{t('elsewhere', { name })}</span> <a href="/home">{t('toHome')}</a>
        </p>
      )}
    </div>
  );
}

/** /login */
export function LoginPage({ entry, onTyped }: { entry: Entry; onTyped: (typed: boolean) => void }) {
  const t = useTexts();
  const [link, setLink] = useState<'asked' | 'refused' | 'declined'>(
    entry.linkToken === undefined ? 'declined' : 'asked',
  );
  const refuse = useCallback(() => setLink('refused'), []);
  if (link === 'asked' && entry.linkToken !== undefined)
    return <LinkPanel token={entry.linkToken} onRefused={refuse} onOther={() => setLink('declined')} />;
  return (
    <>
      {entry.unsent !== undefined && (
        <p class="alert info" role="status">
          {t('unsent', { what: entry.unsent })}
        </p>
      )}
      <Elsewhere />
      <LoginForm onTyped={onTyped} linkFailure={link === 'refused' ? t('linkRefused') : undefined} />
    </>
  );
}
