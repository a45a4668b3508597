import { endDemoEvening, getBaseMap, getDemo } from '../../../../contract/shell/demo.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import type { Demo } from './demo.service.ts';

export function demoRoutes(demo: Demo): Binding[] {
  return [
    bind(getDemo, () => demo.state()),
    bind(endDemoEvening, (_input, ctx) => demo.endEvening((action, work) => ctx.change({ action }, work))),
    bind(getBaseMap, () => demo.baseMap()),
  ];
}
