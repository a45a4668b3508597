export { loadAreas, loadPlaces, type Area, type AreaPlace } from './places.store.ts';
export { unweighed, type RegisterWeighing } from './weighing.ts';
