import { DeviceField } from '../../../parts/map/device-field.ts';
import { DeviceLayers } from '../../../parts/map/device-layers.ts';
import type { Drawing } from '../../../parts/map/map-view.ts';

/** How devices are drawn on a map whose ground is lit by nothing. */
export const devicesDrawn: Drawing = {
  glows: false,
  make: (field, colours) => {
    if (!(field instanceof DeviceField)) throw new Error('the device map was given other things than devices');
    return new DeviceLayers(field, colours);
  },
};
