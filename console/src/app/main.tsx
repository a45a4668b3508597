import '../theme/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { QueryClient } from '@tanstack/react-query';
import { getMe } from '../../../contract/people/me.ts';
import { call, callKey, connectLive, createQueryClient, liveUrl, reactToRefusals } from '../api/index.ts';
import { loadDateWords } from '../locales/dates.ts';
import { startI18n } from '../locales/i18n.ts';
import { zoneOffset } from '../parts/index.ts';
import { shownZone } from '../parts/time/zone.ts';
import { currentTag, leaveForSignIn, PREVIEW_DOOR, storedToken } from '../session/index.ts';
import { App } from './App.tsx';
import { sayForbidden } from './needs/forbidden.ts';
import { menuQuery } from './menu/load-menus.ts';
import { askNeeded } from './needs/needs.ts';
import { loadChunk } from '../api/load-chunk.ts';
import { createTabStore } from '../frame/tabs/tab-store.ts';

const UTC_PLUS_8 = 480;

/** What the shell waits for is asked while the texts are on their way. A failure is the guard's to tell. */
function askAhead(client: QueryClient): void {
  void client.prefetchQuery(menuQuery);
  void client.prefetchQuery({
    queryKey: callKey(getMe, {}),
    queryFn: ({ signal }) => call(getMe, {}, { signal, background: true }),
  });
}

async function start(root: HTMLElement): Promise<void> {
  if (window.location.pathname === PREVIEW_DOOR)
    return (await loadChunk('preview', () => import('./preview/door.tsx'))).openPreviewDoor(root);
  if (storedToken() === undefined) return leaveForSignIn('signedOut');
  reactToRefusals({
    signedOut: () => leaveForSignIn('expired'),
    forbidden: sayForbidden,
    needed: askNeeded,
    timezoneOffset: () => zoneOffset(shownZone.getState().zone) - UTC_PLUS_8,
  });
  const client = createQueryClient();
  askAhead(client);
  const [i18n, words] = await Promise.all([startI18n(), loadDateWords(currentTag())]);
  const live = connectLive({ url: liveUrl(), signedOut: () => leaveForSignIn('expired') });
  createRoot(root).render(
    <StrictMode>
      <App i18n={i18n} words={words} client={client} live={live} tabs={createTabStore()} />
    </StrictMode>,
  );
}

/** Not even the texts could be loaded: said in the two languages every site reads, with the one way on. */
function giveUp(root: HTMLElement, error: unknown): void {
  console.error('the console could not start', error);
  const notice = document.createElement('p');
  notice.setAttribute('role', 'alert');
  notice.style.cssText = 'padding: 40px; text-align: center';
  notice.textContent = '页面代码没有载入，请重新载入。 The console could not be loaded; please reload.';
  root.replaceChildren(notice);
}

const root = document.getElementById('root');
if (root) start(root).catch((error: unknown) => giveUp(root, error));
