import { useEffect, useState } from 'preact/hooks';
export type Page = 'login' | 'loading' | 'update-password';

const pageOf = (pathname: string): Page => {
  const path = pathname.replace(/\/+$/, '');
  if (path === '/login-loading') return 'loading';
  return path === '/update-password' ? 'update-password' : 'login';
};

const CHANGED = 'sign-in:page';

/** The page the address names; follows `moveToLoading` and `moveToUpdatePassword`. */
export function usePage(): Page {
  const [page, setPage] = useState(() => pageOf(window.location.pathname));
  useEffect(() => {
    const follow = (): void => setPage(pageOf(window.location.pathname));
    window.addEventListener(CHANGED, follow);
    return () => window.removeEventListener(CHANGED, follow);
  }, []);
  return page;
}

function move(path: '/login-loading' | '/update-password', success: Success | null): void {
  window.history.pushState(success, '', path);
  window.dispatchEvent(new Event(CHANGED));
}

/** What was just achieved, said on the loading page. */
export type Success = 'loginSucceeded' | 'updateSucceeded';

/**
 * Moves on within this entry, without a page load. Going back is a page load, so that /login clears the session again.
 */
export const moveToLoading = (success: Success): void => move('/login-loading', success);
export const moveToUpdatePassword = (): void => move('/update-password', null);

/** The success that led to the loading page; undefined after any other way there. */
export function arrival(): Success | undefined {
  const state: unknown = window.history.state;
  return state === 'loginSucceeded' || state === 'updateSucceeded' ? state : undefined;
}

export const reloadOnBack = (): void => window.addEventListener('popstate', () => window.location.reload());
