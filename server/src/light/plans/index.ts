export { assign, lastAssigned } from './assignments.store.ts';
export { createLampPlans, followingOn, type AssignedPlan, type LampPlans } from './lamp-plans.ts';
export { createToldSettings, hashOf } from './told-settings.ts';
