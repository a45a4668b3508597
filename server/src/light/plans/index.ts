export { assign, lastAssigned, standing, standingAt, takeBack } from './assignments.store.ts';
export { askedScheme, askedTemplate, asking, findComing, isUntold } from './coming.store.ts';
export { plansComing } from './coming.ts';
export { eachInHalves, isOfLamp, plansOfEachLamp, soundPlans } from './each.ts';
export {
  createLampPlans,
  followingOn,
  formerOf,
  plainOf,
  programmesOf,
  type AssignedPlan,
  type Following,
  type GivenPlan,
  type LampException,
  type LampPlans,
} from './lamp-plans.ts';
export {
  coordinatesOf,
  kilometresFromRecords,
  kilometresTooFar,
  placeInForce,
  type MaybeCoordinates,
} from './place.ts';
export {
  isExcepted,
  mostExceptions,
  loadSchemeVersions,
  loadTemplateVersions,
  type Followed,
  type SchemeVersion,
  type TemplateVersion,
} from './plans.store.ts';
export { rehash } from './rehash.store.ts';
export { createToldSettings, expectedHash, fitsDevice, hashOf, hasLevelsOf, heldBy } from './told-settings.ts';
