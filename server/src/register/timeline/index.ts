export { createDeviceHistory } from './timeline.service.ts';
export { deviceHistoryRoutes } from './timeline.routes.ts';
