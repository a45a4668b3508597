import { matchRoutes } from 'react-router';
import type { PageRoute } from './menu.ts';

/** The page behind a path, by the router's own ranking (fixed segments before parameters); undefined: none. */
export function matchPage(pages: readonly PageRoute[], pathname: string): PageRoute | undefined {
  const matches = matchRoutes(
    pages.map((page) => ({ path: page.path, id: page.path })),
    pathname,
  );
  const path = matches?.[0]?.route.path;
  return pages.find((page) => page.path === path);
}
