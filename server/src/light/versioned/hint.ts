import type { Hint } from '../../platform/live/index.ts';

/** A scheme, template or exception changed, or who follows which: lists are others. */
export const plansHint: Hint = {
  topic: 'plans',
  permissions: ['plan.query', 'lamp.approve'],
  gathered: true,
  listen: (bus, say) => [bus.subscribe('plans.changed', () => say({ type: 'plans' }))],
};
