export { createDeviceSettings, type DeviceSettings, type PlanSource } from './device-settings.ts';
