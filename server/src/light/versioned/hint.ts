import type { Hint } from '../../platform/live/index.ts';

/** A scheme or template changed, or who follows which: lists are others. */
export const plansHint: Hint = {
  topic: 'plans',
  permissions: ['plan.query'],
  gathered: true,
  listen: (bus, say) => [bus.subscribe('plans.changed', () => say({ type: 'plans' }))],
};
