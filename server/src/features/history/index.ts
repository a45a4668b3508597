export { holdOpenHours, markLate, type OpenHours } from './late.ts';
