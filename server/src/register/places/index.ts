export { loadPlaces, type AreaPlace } from './places.store.ts';
