import { families } from '../../../../catalogue/index.ts';
import { controllerFamily, lampFamily } from '../../../../catalogue/lighting/families.ts';

/** How often lamps and controllers report by themselves, seconds. */
export interface Periods {
  readonly litSeconds: number;
  readonly unlitSeconds: number;
  readonly controllerSeconds: number;
}

/** The periods that the catalogue declares. */
export function reportPeriods(): Periods {
  const lamp = families.find(({ key }) => key === lampFamily)?.report;
  const controller = families.find(({ key }) => key === controllerFamily)?.report;
  if (!lamp || !controller) throw new Error('the catalogue has no reporting periods for lamps');
  return { litSeconds: lamp.lit, unlitSeconds: lamp.unlit, controllerSeconds: controller.heartbeat };
}
