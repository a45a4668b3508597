import { Activity, memo, Suspense } from 'react';
import { Route, Routes } from 'react-router';
import { useStore } from 'zustand';
import { PageRegion } from '../../parts/index.ts';
import { screenComponent } from '../errors/load-screen.ts';
import { PageBoundary } from '../errors/PageBoundary.tsx';
import type { PageRoute } from '../../frame/menu/menu.ts';
import { matchPage } from '../../frame/menu/match-page.ts';
import { useMenu } from '../../frame/menu/menu-context.ts';
import { TabKeyContext, useTabStore } from '../../frame/tabs/tab-context.ts';
import { PageSoon } from './PageSoon.tsx';
import styles from './TabPages.module.css';

/** One page under its own address: a hidden page keeps reading the path and the query it was left with. */
const TabPage = memo(function TabPage({ tabKey, address, page }: { tabKey: string; address: string; page: PageRoute }) {
  const store = useTabStore();
  const Screen = screenComponent(page.screen);
  if (Screen === undefined) return null;
  return (
    <TabKeyContext value={tabKey}>
      <PageBoundary onAgain={() => store.refresh(tabKey)}>
        <Suspense fallback={<PageSoon page={page} />}>
          <Routes location={address}>
            <Route path={page.path} element={<Screen />} />
          </Routes>
        </Suspense>
      </PageBoundary>
    </TabKeyContext>
  );
});

/** All opened pages, one shown; the hidden ones keep what was typed and scrolled. */
export function TabPages() {
  const store = useTabStore();
  const tabs = useStore(store, (state) => state.tabs);
  const { pages } = useMenu();
  return tabs.map((tab) => {
    const page = matchPage(pages, tab.key);
    if (page === undefined || !tab.visited) return null;
    return (
      <Activity key={`${tab.key}#${tab.revision}`} mode={tab.selected ? 'visible' : 'hidden'}>
        <div className={styles.frame} data-tab={tab.key}>
          <PageRegion>
            <div className={styles.pane}>
              <TabPage tabKey={tab.key} address={tab.address} page={page} />
            </div>
          </PageRegion>
        </div>
      </Activity>
    );
  });
}
