import { createContext, useContext } from 'react';
import type { Appearance } from './antd-theme.ts';

/** The appearance in force, for charts and maps; light outside the shell (tests of a single part). */
export const LookContext = createContext<Appearance>({
  theme: 'light',
  accent: 'blue',
  fontSize: 'standard',
  fontFamily: 'sans-serif',
  reducedMotion: false,
  scale: 1,
});

/** `const { theme, accent } = useLook(); chartColors(theme, accent)`. */
export const useLook = (): Appearance => useContext(LookContext);
