import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { formatPercent } from '../../locales/format-number.ts';
import { palettes } from '../../theme/tokens.ts';
import type { LampField, LampStateName } from './lamp-field.ts';
import type { MapView } from './map-view.ts';

const tokenOf = {
  on: 'st-on',
  dimmed: 'st-dim',
  off: 'st-off',
  alarm: 'st-alarm',
  offline: 'st-offline',
  maintenance: 'st-maint',
  unknown: 'st-offline',
} as const satisfies Record<LampStateName, string>;

/** Writes code and level, or state, beside each lamp that is seen from near. */
export function useCaptions(
  view: MapView | null,
  field: LampField,
  { night, focusId, isOn }: { night: boolean; focusId: number | null; isOn: boolean },
): void {
  const { t, i18n } = useTranslation('parts');
  useEffect(() => {
    if (!view || !isOn) return;
    const palette = palettes[night ? 'dark' : 'light'];
    view.write((index) => {
      const state = field.stateName(index);
      const level = field.levels[index]!;
      const isLit = (state === 'on' || state === 'dimmed') && level >= 0;
      return {
        code: field.codes[index]!,
        state: isLit ? formatPercent(Math.round(level), i18n.language) : t(`state.${state}`),
        tint: isLit && night ? palette['st-dim'] : palette[tokenOf[state]],
      };
    }, focusId);
  }, [view, field, night, focusId, isOn, t, i18n.language]);
}
