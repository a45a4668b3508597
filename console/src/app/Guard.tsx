import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { getMe } from '../../../contract/people/me.ts';
import { getMenus } from '../../../contract/specified/account.ts';
import { ApiError, callKey, useCall, useLive } from '../api/index.ts';
import { leaveForSignIn, storedToken } from '../session/index.ts';
import { menuQuery } from './menu/load-menus.ts';
import { MenuContext } from '../frame/menu/menu-context.ts';
import { ShellSkeleton } from './shell/ShellSkeleton.tsx';

/** Where a failed guard leads; tests hand in their own. */
export type Leave = (why: 'signedOut' | 'routesFailed') => void;

/** So long the shell waits at most, from the menu's answer on, for what stands above its pages, ms. */
const waitMs = 400;

/**
 * Whether it is known what stands above the pages, or has been waited for long enough: warnings that came after the
 * pages would push them down. Asked together with the menu, so that it costs no time.
 */
function useRoomOfWarnings(hasMenu: boolean): boolean {
  const me = useCall(getMe, {}, { staleTime: 300_000, enabled: storedToken() !== undefined });
  const [waited, setWaited] = useState(false);
  useEffect(() => {
    if (!hasMenu) return undefined;
    const timer = setTimeout(() => setWaited(true), waitMs);
    return () => clearTimeout(timer);
  }, [hasMenu]);
  return waited || me.data !== undefined || me.error !== null;
}

/**
 * The navigation guard (specified 2.1): nothing of the main layout is shown before the account's menu is there; without
 * a session, or when loading fails, the operator goes to /login. Changed rights load the menu again.
 */
export function Guard({ children, leave = leaveForSignIn }: { children: ReactNode; leave?: Leave }) {
  const client = useQueryClient();
  // Asked once: a session that ends later is told by the refusal of a request, or by the dialog about the other tab.
  const [signedIn] = useState(() => storedToken() !== undefined);
  const menu = useQuery({ ...menuQuery, enabled: signedIn });
  const room = useRoomOfWarnings(menu.data !== undefined);
  useLive('menus', () => {
    void client.invalidateQueries({ queryKey: callKey(getMenus) });
    void client.invalidateQueries({ queryKey: callKey(getMe) });
    // What was refused for want of rights may be allowed now.
    void client.invalidateQueries({
      predicate: ({ state }) => state.error instanceof ApiError && state.error.status === 403,
    });
  });
  // The account has lost its last menu entry: what is still on the screen is no longer its own.
  const refused = menu.error instanceof ApiError && menu.error.status === 403;
  useEffect(() => {
    if (!signedIn) leave('signedOut');
    // A 401 has already led to /login with its own warning.
    else if (
      (menu.data === undefined || refused) &&
      menu.error !== null &&
      !(menu.error instanceof ApiError && menu.error.status === 401)
    )
      leave('routesFailed');
  }, [signedIn, menu.data, menu.error, refused, leave]);
  if (menu.data === undefined || !room) return <ShellSkeleton />;
  return <MenuContext value={menu.data}>{children}</MenuContext>;
}
