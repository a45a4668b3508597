import { useEffect, useEffectEvent } from 'react';
import { matchPage } from '../../frame/menu/match-page.ts';
import { useMenu } from '../../frame/menu/menu-context.ts';
import { fetchAhead } from '../errors/load-screen.ts';

/** Pointing at a link to a page, or focusing it, fetches the page's code: of menus, tabs, tables and notices alike. */
export function useFetchAhead(): void {
  const { pages } = useMenu();
  const look = useEffectEvent(({ target }: Event) => {
    const link = target instanceof Element ? target.closest('a[href^="/"]') : null;
    const page = link ? matchPage(pages, new URL((link as HTMLAnchorElement).href).pathname) : undefined;
    if (page) fetchAhead(page.screen);
  });
  useEffect(() => {
    const listen = (event: Event): void => look(event);
    for (const kind of ['pointerover', 'focusin']) document.addEventListener(kind, listen, { passive: true });
    return () => {
      for (const kind of ['pointerover', 'focusin']) document.removeEventListener(kind, listen);
    };
  }, []);
}
