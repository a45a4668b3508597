export { createDeviceSettings, type DeviceSettings } from './device-settings.ts';
