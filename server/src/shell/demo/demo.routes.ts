import { endDemoEvening, getBaseMap, getDemo, setDemoEvening } from '../../../../contract/shell/demo.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import type { Demo } from './demo.service.ts';

export function demoRoutes(demo: Demo): Binding[] {
  return [
    bind(getDemo, (_input, { caller }) => demo.state(caller)),
    bind(endDemoEvening, (_input, ctx) => demo.endEvening(ctx.caller, (action, work) => ctx.change({ action }, work))),
    bind(
      setDemoEvening,
      ({ body }, ctx) => demo.setEvening(ctx.caller, (action, work) => ctx.change({ action }, work), body.clock),
      { rules: 'none' },
    ),
    bind(getBaseMap, () => demo.baseMap()),
  ];
}
