import { getLampPlan } from '../../../../contract/light/lamp-plan.ts';
import { whyLamp } from '../../../../contract/light/why.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import { visibleDevices } from '../../register/devices/index.ts';
import { createLampPlan } from './lamp-plan.service.ts';
import { createWhy, type WhyParts } from './why.service.ts';

export function whyRoutes(parts: WhyParts): Binding[] {
  const why = createWhy(parts);
  const lampPlan = createLampPlan(parts);
  return [
    bind(whyLamp, ({ params, query }, { caller, language }) =>
      why.of(visibleDevices(caller), params.id, query, language),
    ),
    bind(getLampPlan, ({ params, query }, { caller }) => lampPlan.of(caller, params.id, query.day)),
  ];
}
