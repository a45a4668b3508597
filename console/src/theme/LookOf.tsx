import { ConfigProvider } from 'antd';
import { useMemo, type ReactNode } from 'react';
import { antdThemeOf } from './antd-theme.ts';
import type { ThemeName } from './tokens.ts';
import { LookContext, useLook } from './use-look.ts';

/**
 * Fields, boxes and charts in the theme of what they stand on: the night map is dark in a light shell, the day map
 * light in a dark one.
 */
export function LookOf({ theme, children }: { theme: ThemeName; children: ReactNode }) {
  const shell = useLook();
  const look = useMemo(() => ({ ...shell, theme }), [shell, theme]);
  const tokens = useMemo(() => antdThemeOf(look), [look]);
  return (
    <LookContext value={look}>
      <ConfigProvider theme={tokens}>{children}</ConfigProvider>
    </LookContext>
  );
}
