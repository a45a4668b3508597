import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { chartColors } from '../../theme/chart-theme.ts';
import { useLook } from '../../theme/use-look.ts';
import { barChartOption, barHeight, type Bar } from './bar-chart.ts';
import { useChart } from './use-chart.ts';

/**
 * Amounts as bars or, `upright`, as columns. `label` says in words what it shows; a table beside it has every number.
 */
export function BarChart({ bars, upright = false, label }: { bars: readonly Bar[]; upright?: boolean; label: string }) {
  const look = useLook();
  const { i18n } = useTranslation();
  const option = useMemo(
    () =>
      barChartOption(bars, upright, {
        colors: chartColors(look.theme, look.accent),
        language: i18n.language,
        fontFamily: look.fontFamily,
      }),
    [bars, upright, look, i18n.language],
  );
  const element = useChart(option);
  return (
    <div
      ref={element}
      role="img"
      aria-label={label}
      style={{ width: '100%', height: upright ? 220 : Math.max(1, bars.length) * barHeight + 8 }}
    />
  );
}
