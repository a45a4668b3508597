import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import type { ECharts, EChartsCoreOption } from 'echarts/core';
import { echartsTheme } from '../../theme/chart-theme.ts';
import { useLook } from '../../theme/use-look.ts';

/**
 * The one way to a chart: hand in ECharts options, put the returned ref on a sized element. ECharts is fetched when the
 * first chart is shown; the chart follows its element's size and the theme, and is given back when it is hidden or
 * leaves.
 */
export function useChart(option: EChartsCoreOption): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null);
  const look = useLook();
  const [chart, setChart] = useState<ECharts | null>(null);
  const draw = useEffectEvent((to: ECharts) => to.setOption(option, { notMerge: true }));
  useEffect(() => {
    let made: ECharts | null = null;
    let gone = false;
    const watch = new ResizeObserver(() => made?.resize());
    void import('./echarts.ts').then(({ echarts }) => {
      if (gone || !element.current) return;
      made = echarts.init(element.current, echartsTheme(look.theme, look.fontFamily, look.accent), {
        renderer: 'canvas',
      });
      watch.observe(element.current);
      draw(made);
      setChart(made);
    });
    return () => {
      gone = true;
      watch.disconnect();
      made?.dispose();
      setChart(null);
    };
  }, [look]);
  useEffect(() => {
    if (chart && !chart.isDisposed()) draw(chart);
  }, [chart, option]);
  return element;
}
