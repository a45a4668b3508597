import { pinyin } from 'pinyin-pro';

/** pinyin and initials of a Chinese text; anything else gives nothing. */
export type Romanise = (text: string) => readonly string[];

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
