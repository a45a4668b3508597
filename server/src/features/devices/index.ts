export { visibleDevices, type DeviceScope } from './visible.ts';
export { createDevices, type Change, type Devices, type IssuedCredentials } from './devices.service.ts';
export { deviceAccessRoutes } from './device-access.ts';
export { devicesRoutes } from './devices.routes.ts';
export { translateTaken } from './taken.ts';
export { findByCodes, writtenColumns } from './devices.bulk.ts';
export type { StoredDevice } from './devices.store.ts';
export { recordChanges, type ChangeOrigin } from './devices.changes.ts';
export { deviceExportTask } from './export-task.ts';
