/** @jsxImportSource preact */
import { useEffect, useState } from 'preact/hooks';
import { storeSession } from '../../session/index.ts';
import { exchangeLink } from '../calls.ts';
import { preloadConsole } from '../console-preload.ts';
import { moveToLoading } from '../route.ts';
import { useTexts } from '../texts.ts';

/** A sign-in link asks before it acts: "continue as …". A refused one leads to the form (specified 1.8). */
export function LinkPanel({
  token,
  onRefused,
  onOther,
}: {
  token: string;
  onRefused: () => void;
  onOther: () => void;
}) {
  const t = useTexts();
  const [who, setWho] = useState<string>();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    let left = false;
    void exchangeLink(token, true).then((outcome) => {
      if (left) return;
      if (outcome.kind === 'done') setWho(outcome.body.name || outcome.body.username);
      else onRefused();
    });
    return () => {
      left = true;
    };
  }, [token, onRefused]);
  const proceed = async (): Promise<void> => {
    setBusy(true);
    void preloadConsole();
    const outcome = await exchangeLink(token, false);
    if (outcome.kind !== 'done' || outcome.body.token === undefined) return onRefused();
    storeSession({ token: outcome.body.token, username: outcome.body.username, rememberMe: false });
    moveToLoading('loginSucceeded');
  };
  return (
    <div>
      <h1>{t('heading')}</h1>
      <p class="sub" role="status">
        {who === undefined ? t('linkReading') : ''}
      </p>
      {who !== undefined && (
        <button type="button" class="go" disabled={busy} onClick={() => void proceed()}>
          {t('linkContinue', { name: who })}
        </button>
      )}
      <button type="button" class="plain" disabled={busy} onClick={onOther}>
        {t('linkOther')}
      </button>
    </div>
  );
}
