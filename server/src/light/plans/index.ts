export { assign, lastAssigned } from './assignments.store.ts';
export {
  createLampPlans,
  followingOn,
  formerOf,
  plainOf,
  type AssignedPlan,
  type LampException,
  type LampPlans,
} from './lamp-plans.ts';
export { exceptedLamps } from './plans.store.ts';
export { createToldSettings, hashOf } from './told-settings.ts';
