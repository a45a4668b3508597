import { endDemoEvening, getBaseMap, getDemo, setDemoEvening } from '../../../../contract/shell/demo.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import type { Demo } from './demo.service.ts';

export function demoRoutes(demo: Demo): Binding[] {
  return [
    bind(getDemo, () => demo.state()),
    bind(endDemoEvening, (_input, ctx) => demo.endEvening((action, work) => ctx.change({ action }, work))),
    bind(
      setDemoEvening,
      ({ body }, ctx) => demo.setEvening((action, work) => ctx.change({ action }, work), body.clock),
      { rules: 'none' },
    ),
    bind(getBaseMap, () => demo.baseMap()),
  ];
}
