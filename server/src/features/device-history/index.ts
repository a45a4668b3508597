export { createDeviceHistory } from './history.service.ts';
export { deviceHistoryRoutes } from './history.routes.ts';
