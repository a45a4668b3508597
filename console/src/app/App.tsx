import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import type { Locale as AntdLocale } from 'antd/es/locale';
import type { i18n as I18n } from 'i18next';
import { lazy, useEffect, useState } from 'react';
import { I18nextProvider } from 'react-i18next';
import { BrowserRouter } from 'react-router';
import { keepSession, LiveContext, type LiveConnection } from '../api/index.ts';
import { DictionaryKeeper } from './DictionaryKeeper.tsx';
import { loadChunk } from '../api/load-chunk.ts';
import { PartHost } from './errors/PartHost.tsx';
import { keepFocus } from './focus/keep-focus.ts';
import { Guard } from './Guard.tsx';
import { loadPreferences } from '../frame/preferences.ts';
import { NeedHost } from './needs/NeedHost.tsx';
import { dropHeld, heldCommands } from '../parts/commands/hold.ts';
import { beforeLeaving } from '../session/index.ts';
import { LookProvider, POPUPS } from './settings/LookProvider.tsx';
import { adoptSettings } from './settings/settings.ts';
import { Shell } from './Shell.tsx';
import { TabStoreContext } from '../frame/tabs/tab-context.ts';
import type { TabStore } from '../frame/tabs/tab-store.ts';

const ElsewhereDialog = lazy(() => loadChunk('elsewhere', () => import('./shell/ElsewhereDialog.tsx')));

export interface AppParts {
  i18n: I18n;
  words: AntdLocale;
  client: QueryClient;
  live: LiveConnection;
  tabs: TabStore;
}

/**
 * What runs beside the screens as long as the console is open: the account's settings, the session, the focus, the
 * question before leaving.
 */
function useBackground(tabs: TabStore, elsewhere: (change: 'ended' | 'replaced') => void): void {
  useEffect(() => keepFocus(POPUPS), []);
  useEffect(() => {
    void loadPreferences().then((values) => adoptSettings(values?.appearance));
    const stopGiving = beforeLeaving(dropHeld);
    const stop = keepSession((change) => {
      dropHeld();
      elsewhere(change);
    });
    const ask = (event: BeforeUnloadEvent): void => {
      if (tabs.getState().unsaved.size > 0 || heldCommands.getState().length > 0) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => {
      window.removeEventListener('beforeunload', ask);
      stop();
      stopGiving();
    };
  }, [tabs, elsewhere]);
}

/** The console with everything it stands on; `main.tsx` makes the parts, tests hand in theirs. */
export function App({ i18n, words, client, live, tabs }: AppParts) {
  const [change, setChange] = useState<'ended' | 'replaced'>();
  useBackground(tabs, setChange);
  return (
    <I18nextProvider i18n={i18n}>
      <LookProvider words={words}>
        <QueryClientProvider client={client}>
          <LiveContext value={live}>
            <TabStoreContext value={tabs}>
              <BrowserRouter>
                <Guard>
                  <DictionaryKeeper />
                  <Shell />
                </Guard>
              </BrowserRouter>
              <NeedHost />
              <PartHost onFailed={() => setChange(undefined)}>
                {change ? <ElsewhereDialog change={change} onClose={() => setChange(undefined)} /> : null}
              </PartHost>
            </TabStoreContext>
          </LiveContext>
        </QueryClientProvider>
      </LookProvider>
    </I18nextProvider>
  );
}
