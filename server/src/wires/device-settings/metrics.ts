import { metricsFrom, type MetricSource } from '../../platform/metrics/index.ts';
import type { DeviceSettings } from './device-settings.ts';

/** What the settings of devices count. */
export const settingsMetrics = (settings: Pick<DeviceSettings, 'counts'>): MetricSource =>
  metricsFrom(
    () => settings.counts,
    [
      {
        name: 'lampyris_settings_published_total',
        help: 'Settings of devices published: place, table, plan, reporting periods.',
        type: 'counter',
        value: ({ published }) => published,
      },
      {
        name: 'lampyris_settings_retold_total',
        help: 'Settings published again to devices that reported others, or none.',
        type: 'counter',
        value: ({ retold }) => retold,
      },
    ],
  );
