import { useMemo } from 'react';
import { CurveStack } from '../curves/CurveStack.tsx';
import { timePanel, type TimeChartSpec } from './time-panel.ts';

/** The future is not marked: what is shown of it is a plan. */
const never = Infinity;

/** A curve over time, `height` px. `label` says in words what it shows, for those who do not see it. */
export function TimeChart({ spec, height, label }: { spec: TimeChartSpec; height: number; label: string }) {
  const panels = useMemo(() => [timePanel(spec, height)], [spec, height]);
  const span = useMemo(() => ({ from: spec.from, to: spec.to }), [spec]);
  return (
    <CurveStack
      panels={panels}
      span={span}
      now={never}
      label={label}
      {...(spec.nights ? { nights: spec.nights } : {})}
    />
  );
}
