import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { chartColors } from '../../theme/chart-theme.ts';
import { useLook } from '../../theme/use-look.ts';
import { useZone } from '../time/zone.ts';
import { timeChartOption, type TimeChartSpec } from './time-chart.ts';
import { useChart } from './use-chart.ts';

/** A curve over time. `label` says in words what it shows, for those who do not see it. */
export function TimeChart({ spec, height, label }: { spec: TimeChartSpec; height: number; label: string }) {
  const look = useLook();
  const zone = useZone();
  const { i18n } = useTranslation();
  const option = useMemo(
    () =>
      timeChartOption(spec, {
        colors: chartColors(look.theme, look.accent),
        zone,
        language: i18n.language,
        fontFamily: look.fontFamily,
      }),
    [spec, look, zone, i18n.language],
  );
  const element = useChart(option);
  return <div ref={element} role="img" aria-label={label} style={{ width: '100%', height }} />;
}
