export { createDeviceMap } from './device-map.service.ts';
export { deviceMapRoutes } from './device-map.routes.ts';
