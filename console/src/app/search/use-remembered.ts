import { useMemo } from 'react';
import type { Romanise } from '../../locales/pinyin.ts';

/** Asks once for each text. */
function remembered(romanise: Romanise): Romanise {
  const known = new Map<string, readonly string[]>();
  return (text) => {
    const spoken = known.get(text) ?? romanise(text);
    known.set(text, spoken);
    return spoken;
  };
}

/** The same, but what was romanised once is kept: every key asks for the same texts again. */
export const useRemembered = (romanise: Romanise): Romanise => useMemo(() => remembered(romanise), [romanise]);
