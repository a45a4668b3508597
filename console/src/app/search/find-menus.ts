import type { MenuModel, PageRoute } from '../../frame/menu/menu.ts';
import type { Romanise } from '../../locales/pinyin.ts';

/** A page with everything it can be found by: its titles, pinyin and initials, lower case. */
export interface Findable {
  page: PageRoute;
  title: string;
  /** Titles of the levels above. */
  path: string;
  words: readonly string[];
}

/** First letters of its words, lower case. */
export const initialsOf = (title: string): string =>
  title
    .split(/[\s-]+/)
    .map((word) => word[0] ?? '')
    .join('')
    .toLowerCase();

// They edit what another page hands over; opened from here they would have nothing to edit.
const handedOver: ReadonlySet<string> = new Set(['user-edit', 'role-edit', 'workgroup-edit']);

/** What can be found: pages that need neither a parameter nor a hand-over. */
export function findablePages(
  menu: MenuModel,
  titleOf: (label: { title: string; language: string | null }) => string,
  romanise: Romanise,
): Findable[] {
  return menu.pages
    .filter((page) => !page.path.includes(':') && !handedOver.has(page.name))
    .map((page) => {
      const title = titleOf(page);
      const titles = [...new Set([title, page.title])];
      const words = titles.flatMap((one) => [one.toLowerCase(), initialsOf(one), ...romanise(one)]);
      return { page, title, path: page.parents.map(titleOf).join(' / '), words };
    });
}

/** 0 best: begins with it, then contains it, then has its letters in order; undefined: no match. */
export function rankOf(words: readonly string[], sought: string): number | undefined {
  if (words.some((word) => word.startsWith(sought))) return 0;
  if (words.some((word) => word.includes(sought))) return 1;
  const inOrder = (word: string): boolean => {
    let at = 0;
    for (const letter of word) if (letter === sought[at]) at += 1;
    return at === sought.length;
  };
  return sought.length > 1 && words.some(inOrder) ? 2 : undefined;
}

/**
 * The pages a text finds: `near` begin with it or contain it, best first; `far` only have its letters in order. An
 * empty text finds all in menu order.
 */
export function findMenus(pages: readonly Findable[], text: string): { near: Findable[]; far: Findable[] } {
  const sought = text.trim().toLowerCase().replace(/\s+/g, '');
  if (sought === '') return { near: [...pages], far: [] };
  const ranked = [0, 1, 2].map((wanted) => pages.filter((found) => rankOf(found.words, sought) === wanted));
  return { near: [...(ranked[0] ?? []), ...(ranked[1] ?? [])], far: ranked[2] ?? [] };
}
