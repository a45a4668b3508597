export { assign, lastAssigned, type Assigned } from './assignments.store.ts';
export { createLampPlans, followingOn, programmesOf, type AssignedPlan, type LampPlans } from './lamp-plans.ts';
export {
  loadSchemeVersions,
  loadTemplateVersions,
  type Followed,
  type SchemeVersion,
  type TemplateVersion,
} from './plans.store.ts';
export { createToldSettings, hashOf } from './told-settings.ts';
