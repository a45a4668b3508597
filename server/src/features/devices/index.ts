export { visibleDevices, type DeviceScope } from './visible.ts';
