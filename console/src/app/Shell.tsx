import { lazy, Suspense, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { useStore } from 'zustand';
import { toast, Toasts } from '../parts/index.ts';
import { leaveFailures } from '../frame/toast-store.ts';
import { inPreview, isSignInPath, local } from '../session/index.ts';
import { loadChunk } from '../api/load-chunk.ts';
import { PartHost } from './errors/PartHost.tsx';
import NotFound from './not-found/index.tsx';
import { matchPage } from '../frame/menu/match-page.ts';
import { firstPage, type MenuNode, type PageRoute } from '../frame/menu/menu.ts';
import { useMenu, useMenuTitle } from '../frame/menu/menu-context.ts';
import { PreviewBanner } from './preview/PreviewBanner.tsx';
import { POPUPS } from './settings/LookProvider.tsx';
import { useSettings } from './settings/settings.ts';
import { CommandHost } from './search/CommandHost.tsx';
import { AskHost } from './shell/AskHost.tsx';
import { OfflineBanner, SiteWarnings } from './shell/Banners.tsx';
import { Breadcrumb } from './shell/Breadcrumb.tsx';
import { useBrand } from './shell/brand.ts';
import { Header } from './shell/Header.tsx';
import { SideMenu } from './shell/SideMenu.tsx';
import styles from './shell/Shell.module.css';
import { useFetchAhead } from './shell/use-fetch-ahead.ts';
import { Shortcuts } from './shortcuts/Shortcuts.tsx';
import { followMenu } from './tabs/follow-menu.ts';
import { useTabStore } from '../frame/tabs/tab-context.ts';
import { MAX_TABS, type Visit } from '../frame/tabs/tab-store.ts';
import { TourHost } from './tour/TourHost.tsx';
import { TabPages } from './tabs/TabPages.tsx';
import { TabStrip } from './tabs/TabStrip.tsx';
import { UndoHost } from './undo/UndoHost.tsx';

const PhoneMenu = lazy(() => loadChunk('menu', () => import('./shell/PhoneMenu.tsx')));

const NOT_FOUND = '/404';
const FOLDED = 'sideMenuFolded';
/** The main layout, whose child is the home page. */
const layoutPaths: ReadonlySet<string> = new Set(['/', '/main', '/main/', '/main/home']);

const visitOf = (page: PageRoute, key: string, address: string): Visit => ({
  key,
  address,
  name: page.name,
  title: page.title,
  language: page.language,
});

/** Turns each address into the page that is shown: a tab, the redirect of `/` and `/main`, sign-in, or /404. */
function useRouting(page: PageRoute | undefined): void {
  const { key: arrival, pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const tabs = useTabStore();
  const { pages } = useMenu();
  const { t } = useTranslation('shell');
  const titleOf = useMenuTitle();
  const known = useRef(pages);
  // The page that was shown when its menu entry went: it is left for another one, not for /404.
  const lost = useRef<string>(undefined);
  const menuChanged = useEffectEvent(() => {
    const { gone, goTo } = followMenu(tabs, known.current, pages);
    known.current = pages;
    if (gone.length > 0) toast.warning(t('tabs.gone', { titles: gone.map(titleOf).join(' · ') }), 8_000);
    if (goTo === undefined) return;
    lost.current = pathname;
    void navigate(goTo, { replace: true });
  });
  useEffect(() => {
    menuChanged();
    const home = pages.find((one) => one.name === 'home');
    tabs.settle(home && visitOf(home, home.path, home.path), (path) => matchPage(pages, path) !== undefined);
  }, [pages, tabs]);
  useEffect(() => {
    if (isSignInPath(pathname)) return window.location.assign(pathname + search);
    if (layoutPaths.has(pathname)) return void navigate(`/home${search}${hash}`, { replace: true });
    if (page === undefined) {
      if (lost.current === pathname) return undefined;
      tabs.deselect();
      if (pathname !== NOT_FOUND) void navigate(NOT_FOUND, { replace: true, state: { from: pathname } });
      return undefined;
    }
    lost.current = undefined;
    const before = tabs.getState().tabs.find((tab) => tab.selected)?.address ?? '/home';
    if (tabs.visit(visitOf(page, pathname, pathname + search + hash))) return undefined;
    toast.warning(t('tabs.full', { count: MAX_TABS }), 6_000);
    return void navigate(before, { replace: true });
    // Each arrival is a visit of its own: a page that is closed and gone back to before anything was drawn has the
    // address it had.
  }, [arrival, page, pathname, search, hash, navigate, tabs, t]);
}

/** The first-level entry a page stands under. */
const topOf = (top: readonly MenuNode[], page: PageRoute | undefined): MenuNode | undefined =>
  page && top.find((node) => node.id === page.parents[0]?.id || firstPage(node)?.path === page.path);

/**
 * After a navigation that did not start in the tab strip the focus moves to the page, and its name to the window's
 * title.
 */
function useArrival(title: string, siteTitle: string, selected: string | undefined) {
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  useEffect(() => {
    document.title = title === '' ? siteTitle : `${title} - ${siteTitle}`;
  }, [title, siteTitle]);
  useEffect(() => {
    if (first.current || selected === undefined) {
      first.current = selected === undefined;
      return;
    }
    if (document.activeElement?.closest('[data-tab-strip], [role="dialog"]') === null)
      main.current?.focus({ preventScroll: true });
  }, [selected]);
  return main;
}

function useFolded(): [boolean, (folded: boolean) => void] {
  const [folded, setFolded] = useState(() => local.get(FOLDED) === '1');
  return [
    folded,
    (next) => {
      local.set(FOLDED, next ? '1' : '0');
      setFolded(next);
    },
  ];
}

/** The main layout: header, menus, tabs and the pages. */
export function Shell() {
  const { t } = useTranslation('shell');
  const { pathname } = useLocation();
  const { pages, top } = useMenu();
  const { menuMode, tabs: withTabs } = useSettings();
  const titleOf = useMenuTitle();
  const tabs = useTabStore();
  const brand = useBrand();
  const [folded, setFolded] = useFolded();
  const [phoneMenu, setPhoneMenu] = useState(false);
  const page = useMemo(() => matchPage(pages, pathname), [pages, pathname]);
  useRouting(page);
  useFetchAhead();
  const shown = useStore(tabs, (state) => state.tabs.find((tab) => tab.selected));
  const title = shown ? titleOf(shown) : pathname === NOT_FOUND ? t('notFound.title') : '';
  useEffect(() => leaveFailures(), [pathname]);
  const main = useArrival(title, inPreview() ? t('preview.title', { title: brand.title }) : brand.title, shown?.key);
  const current = topOf(top, page);
  const below = current && current.children.length === 0 ? [current] : (current?.children ?? []);
  // The first level names that page already.
  const isAlone = below.length === 1 && below[0]?.children.length === 0 && below[0].page?.name === 'home';
  const nodes = menuMode === 'side' ? top : isAlone ? [] : below;
  return (
    <div className={styles.shell}>
      <a
        className={styles.skip}
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        {t('skip')}
      </a>
      <Header brand={brand} current={current} onMenu={() => setPhoneMenu(true)} />
      <PreviewBanner />
      <OfflineBanner />
      <SiteWarnings />
      <div className={styles.body}>
        {nodes.length > 0 ? (
          <div className={styles.side}>
            <SideMenu nodes={nodes} current={page?.path} collapsed={folded} onCollapse={setFolded} />
          </div>
        ) : null}
        <div className={styles.column}>
          <div className={styles.bar} data-tab-strip="">
            {withTabs ? <TabStrip /> : null}
            {page && page.parents.length > 0 ? <Breadcrumb page={page} title={title} /> : null}
          </div>
          <main id="main" ref={main} tabIndex={-1} className={styles.pages} aria-label={title || undefined}>
            <TabPages />
            {pathname === NOT_FOUND ? <NotFound /> : null}
          </main>
        </div>
      </div>
      <PartHost onFailed={() => setPhoneMenu(false)}>
        {phoneMenu ? <PhoneMenu current={page?.path} onClose={() => setPhoneMenu(false)} /> : null}
      </PartHost>
      <Toasts />
      <UndoHost />
      <CommandHost />
      <section id={POPUPS} aria-label={t('popups')} />
      <AskHost />
      <Shortcuts />
      <Suspense fallback={null}>
        <TourHost />
      </Suspense>
      <div className="visually-hidden" aria-live="polite">
        {title}
      </div>
    </div>
  );
}
