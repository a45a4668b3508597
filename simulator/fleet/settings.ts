import type { SettingsMessage } from '../../protocols/mqtt-json/messages.ts';
import type { LampSettings } from '../lamp/spec.ts';

/** What a lamp makes of the settings it is sent; without a place it keeps the one it has. */
export function lampSettings(message: SettingsMessage, before: LampSettings): LampSettings {
  const { latitude, longitude, timeZone, sunOffsetMinutes } = message;
  return {
    version: message.version,
    table: message.table,
    litSeconds: message.reportSeconds.lit,
    unlitSeconds: message.reportSeconds.unlit,
    ...(message.plan ? { plan: message.plan } : {}),
    ...(message.stagger === undefined ? {} : { staggerSeconds: message.stagger }),
    ...(message.staggerFrom === undefined ? {} : { staggerFromSeconds: message.staggerFrom }),
    ...(message.fallbackMinutes === undefined ? {} : { fallbackMinutes: message.fallbackMinutes }),
    ...(message.powerUpLevel === undefined ? {} : { powerUpLevel: message.powerUpLevel }),
    ...(message.heartbeatSeconds === undefined ? {} : { heartbeatSeconds: message.heartbeatSeconds }),
    place: {
      latitude: latitude ?? before.place.latitude,
      longitude: longitude ?? before.place.longitude,
      timeZone,
      sunOffsetMinutes,
    },
  };
}
