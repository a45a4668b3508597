import type { IconName } from './icon-paths.ts';

/**
 * What may be chosen for a menu or a role, by subject; arrows, crosses and other signs of the console itself are left
 * out.
 */
export const pickable = [
  'home',
  'lamp',
  'pole',
  'bolt',
  'tool',
  'cube',
  'folder',
  'settings',
  'sliders',
  'bell',
  'warning',
  'search',
  'map',
  'navigate',
  'target',
  'globe',
  'pin',
  'flag',
  'tag',
  'document',
  'checklist',
  'list',
  'menu',
  'columns',
  'layers',
  'group',
  'calendar',
  'clock',
  'chart',
  'curve',
  'leaf',
  'environment',
  'drop',
  'sun',
  'moon',
  'walk',
  'road',
  'car',
  'building',
  'controller',
  'camera',
  'screen',
  'speaker',
  'phone',
  'wifi',
  'plug',
  'link',
  'circuit',
  'channel',
  'manhole',
  'organisation',
  'storage',
  'poll',
  'upload',
  'enter',
  'trash',
  'user',
  'team',
  'key',
  'lock',
  'shield',
  'eye',
  'edit',
  'download',
  'retry',
  'logout',
] as const satisfies readonly IconName[];

export type PickableIcon = (typeof pickable)[number];

/** An icon with the words that find it, the first of which is its name. */
export interface FindableIcon {
  icon: PickableIcon;
  words: readonly string[];
}

/** The words of an icon as its text lists them. */
export const wordsOf = (text: string): string[] => text.split(/[,，、]\s*/).filter((word) => word !== '');

/** Accents and case do not matter: `etiquette` finds Étiquette. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();

/**
 * The icons a text finds by key, name, keyword, pinyin or initials (`romanise` gives the last two); an empty text finds
 * all.
 */
export function findIcons(
  icons: readonly FindableIcon[],
  text: string,
  romanise: (word: string) => readonly string[],
): PickableIcon[] {
  const sought = plain(text.trim());
  const spoken = (word: string): string[] => [word, ...romanise(word)];
  return icons
    .filter(
      ({ icon, words }) =>
        sought === '' || [icon, ...words.flatMap(spoken)].some((word) => plain(word).includes(sought)),
    )
    .map(({ icon }) => icon);
}
