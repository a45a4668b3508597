import { createContext, useCallback, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import type { MenuLabel, MenuModel } from './menu.ts';

const none: MenuModel = { top: [], pages: [], codes: new Set() };

/** The account's menu; empty outside of the shell. */
export const MenuContext = createContext<MenuModel>(none);
export const useMenu = (): MenuModel => useContext(MenuContext);

/** Whether the account holds a permission code: for hiding what would be refused. The server enforces. */
export const usePermission = (code: string): boolean => useMenu().codes.has(code);

/** Whether the account has a page, by the name of its screen: for hiding what would lead nowhere. */
export function usePageExists(): (screen: string) => boolean {
  const { pages } = useMenu();
  return (screen) => pages.some((page) => page.screen === screen);
}

/** Where the menu has the page of a screen; undefined: the account has none. */
export function usePageAddress(): (screen: string) => string | undefined {
  const { pages } = useMenu();
  return (screen) => pages.find((page) => page.screen === screen)?.path;
}

/** The name of a menu entry in the language in force: its key of the area `menu`, else its title. */
export function useMenuTitle(): (label: Pick<MenuLabel, 'title' | 'language'>) => string {
  const { t, i18n } = useTranslation('menu');
  return useCallback(
    ({ title, language }) => {
      if (language === null || language === '') return title;
      const key = language.replace(/^menu\./, '');
      return i18n.exists(key, { ns: 'menu' }) ? t(key as 'home') : title;
    },
    [t, i18n],
  );
}
