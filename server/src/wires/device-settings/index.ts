export { createDeviceSettings, type DeviceSettings, type PlanSource } from './device-settings.ts';
export { settingsMetrics } from './metrics.ts';
