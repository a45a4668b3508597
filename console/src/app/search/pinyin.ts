import { pinyin } from 'pinyin-pro';
import type { Romanise } from './find-menus.ts';

/** Pinyin without tones, and its initials; loaded when the search is first opened (the dictionary is heavy). */
export const romanise: Romanise = (text) => {
  if (!/\p{Script=Han}/u.test(text)) return [];
  const syllables = pinyin(text, { toneType: 'none', type: 'array', nonZh: 'consecutive' });
  const whole = syllables.join('').toLowerCase();
  const initials = syllables
    .map((syllable) => syllable[0] ?? '')
    .join('')
    .toLowerCase();
  return [whole, initials];
};
