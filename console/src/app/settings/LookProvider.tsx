import { ConfigProvider } from 'antd';
import type { Locale as AntdLocale } from 'antd/es/locale';
import { useEffect, useMemo, useSyncExternalStore, type ReactNode } from 'react';
import { currentTag } from '../../session/index.ts';
import { antdThemeOf, type Appearance } from '../../theme/antd-theme.ts';
import { base, screenScales, type ThemeName } from '../../theme/tokens.ts';
import { LookContext } from '../../theme/use-look.ts';
import { useSettings } from './settings.ts';

function useMedia(query: string): boolean {
  const media = useMemo(() => window.matchMedia(query), [query]);
  return useSyncExternalStore(
    (listen) => {
      media.addEventListener('change', listen);
      return () => media.removeEventListener('change', listen);
    },
    () => media.matches,
  );
}

/** The font stack of a language, as in tokens.css. */
function fontFamilyOf(tag: string): string {
  const name =
    ({ 'zh-TW': 'font-sans-tc', 'ja-JP': 'font-sans-ja', 'ko-KR': 'font-sans-ko' } as const)[tag] ?? 'font-sans';
  return base[name].replace('var(--font-latin)', base['font-latin']);
}

/** The factor of sizes on this screen. */
function useScale(): number {
  const [large, largest] = screenScales;
  const isLarge = useMedia(`(min-width: ${large.from}px)`);
  const isLargest = useMedia(`(min-width: ${largest.from}px)`);
  return isLargest ? largest.factor : isLarge ? large.factor : 1;
}

function useAppearance(): Appearance {
  const { theme, accent, fontSize } = useSettings();
  const systemDark = useMedia('(prefers-color-scheme: dark)');
  const reducedMotion = useMedia('(prefers-reduced-motion: reduce)');
  const scale = useScale();
  const name: ThemeName = theme === 'system' ? (systemDark ? 'dark' : 'light') : theme;
  return useMemo(
    () => ({ theme: name, accent, fontSize, fontFamily: fontFamilyOf(currentTag()), reducedMotion, scale }),
    [name, accent, fontSize, reducedMotion, scale],
  );
}

function mark(name: string, value: string | undefined): void {
  if (value === undefined) delete document.documentElement.dataset[name];
  else document.documentElement.dataset[name] = value;
}

/** Menus and lists that pop up stand in a named region of the shell, so that no content is outside of a landmark. */
export const POPUPS = 'popups';
const popupContainer = (): HTMLElement => document.getElementById(POPUPS) ?? document.body;

/** Puts the settings into force: attributes for the tokens, antd's theme and words, the look for charts and maps. */
export function LookProvider({ words, children }: { words: AntdLocale; children: ReactNode }) {
  const look = useAppearance();
  const { density } = useSettings();
  useEffect(() => {
    mark('theme', look.theme);
    mark('accent', look.accent === 'blue' ? undefined : look.accent);
    mark('fontSize', look.fontSize === 'standard' ? undefined : look.fontSize);
    mark('density', density === 'standard' ? undefined : density);
  }, [look, density]);
  const theme = useMemo(() => antdThemeOf(look), [look]);
  return (
    <LookContext value={look}>
      <ConfigProvider
        theme={theme}
        locale={words}
        wave={{ disabled: true }}
        button={{ autoInsertSpace: false }}
        getPopupContainer={popupContainer}
      >
        {children}
      </ConfigProvider>
    </LookContext>
  );
}
