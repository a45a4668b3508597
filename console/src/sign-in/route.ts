import { useSyncExternalStore } from 'react';

export type Page = 'login' | 'loading' | 'update-password';

const pageOf = (pathname: string): Page => {
  const path = pathname.replace(/\/+$/, '');
  if (path === '/login-loading') return 'loading';
  return path === '/update-password' ? 'update-password' : 'login';
};

const CHANGED = 'sign-in:page';

const subscribe = (listener: () => void): (() => void) => {
  window.addEventListener(CHANGED, listener);
  return () => window.removeEventListener(CHANGED, listener);
};

export const usePage = (): Page => useSyncExternalStore(subscribe, () => pageOf(window.location.pathname));

/** Moves on within this entry, without a page load. Going back is a page load, so that /login clears the session again. */
export function moveTo(path: '/login-loading' | '/update-password'): void {
  window.history.pushState(null, '', path);
  window.dispatchEvent(new Event(CHANGED));
}

export const reloadOnBack = (): void => window.addEventListener('popstate', () => window.location.reload());
