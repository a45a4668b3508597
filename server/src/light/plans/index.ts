export { assign, lastAssigned } from './assignments.store.ts';
export {
  createLampPlans,
  followingOn,
  formerOf,
  plainOf,
  programmesOf,
  type AssignedPlan,
  type Following,
  type LampException,
  type LampPlans,
} from './lamp-plans.ts';
export {
  isExcepted,
  mostExceptions,
  loadSchemeVersions,
  loadTemplateVersions,
  type Followed,
  type SchemeVersion,
  type TemplateVersion,
} from './plans.store.ts';
export { createToldSettings, fitsDevice, hashOf } from './told-settings.ts';
