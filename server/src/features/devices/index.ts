export { visibleDevices, type DeviceScope } from './visible.ts';
export { createDevices, type Change, type Devices, type IssuedCredentials } from './devices.service.ts';
export { devicesRoutes } from './devices.routes.ts';
export { translateTaken } from './taken.ts';
