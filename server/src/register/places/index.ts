export { loadPlaces, type AreaPlace } from './places.ts';
