export { holdOpenHours, markLate, type OpenHours } from './late.ts';
export { createRoller, type Roller } from './roller.ts';
export { createHistory } from './history.service.ts';
export { historyRoutes } from './history.routes.ts';
