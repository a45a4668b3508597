export { holdOpenHours, markLate, type OpenHours } from './late.ts';
export { createRoller, type Roller } from './roller.ts';
