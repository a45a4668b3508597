export { loadAreas, loadPlaces, type Area, type AreaPlace } from './places.store.ts';
