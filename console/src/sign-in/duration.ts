import type { Texts } from './texts.ts';

const UNITS = [
  ['days', 86_400],
  ['hours', 3_600],
  ['minutes', 60],
  ['seconds', 1],
] as const;

/**
 * The lock time in words: days, hours, minutes, seconds, leaving out what is 0 (specified 1.5). At least one second.
 */
export function durationText(texts: Texts, seconds: number): string {
  let left = Math.max(1, Math.ceil(seconds));
  const parts: string[] = [];
  for (const [unit, size] of UNITS) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(texts.counted(unit, count));
  }
  // Japanese writes numbers and units without any space.
  return parts.join(texts.tag === 'ja-JP' ? '' : ' ');
}
