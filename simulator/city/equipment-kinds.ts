/** The families of devices that a smart pole carries or that stand beside it, in the order in which they are placed. */
export const equipmentFamilies = [
  'gateway',
  'information-screen',
  'public-broadcast',
  'one-click-call',
  'security-camera',
  'environmental-monitor',
  'wifi',
  'micro-station-5g',
  'pole-tilt-sensor',
  'manhole-cover',
  'trash-can',
  'parking-lock',
  'charging-pile',
  'solar-controller',
  'time-controller',
] as const;
export type EquipmentFamily = (typeof equipmentFamilies)[number];

/**
 * What can be wrong with one. `silent`: it was lost some hours ago. `mute`: its line is up, it reports nothing. `never`:
 * it is registered and was never switched on.
 */
export type Trouble =
  | 'silent'
  | 'mute'
  | 'never'
  | 'lowBattery'
  | 'faulted'
  | 'unavailable'
  | 'limited'
  | 'open'
  | 'flooded'
  | 'gas'
  | 'leaning'
  | 'full'
  | 'hot'
  | 'blocked'
  | 'unregistered'
  | 'notRecording'
  | 'videoLost'
  | 'diskFull'
  | 'dark'
  | 'stuckSensor'
  | 'crowded'
  | 'dirtyPanel'
  | 'manual'
  | 'wrongClock'
  | 'stuckContactor'
  | 'overloaded';

/** Of each family, the most telling first: a small city has only these. */
export const troublesOf: Readonly<Record<EquipmentFamily, readonly Trouble[]>> = {
  gateway: ['silent', 'overloaded'],
  'information-screen': ['dark', 'diskFull', 'mute'],
  'public-broadcast': ['silent', 'dark'],
  'one-click-call': ['unregistered', 'silent'],
  'security-camera': ['videoLost', 'notRecording', 'silent', 'diskFull'],
  'environmental-monitor': ['stuckSensor', 'mute'],
  'charging-pile': ['faulted', 'unavailable', 'limited', 'hot', 'silent'],
  wifi: ['crowded', 'silent'],
  'micro-station-5g': ['hot', 'mute'],
  'pole-tilt-sensor': ['leaning', 'lowBattery', 'silent'],
  'manhole-cover': ['open', 'gas', 'flooded', 'lowBattery', 'silent'],
  'trash-can': ['full', 'hot', 'lowBattery', 'never'],
  'parking-lock': ['blocked', 'lowBattery', 'silent', 'never'],
  'solar-controller': ['dirtyPanel', 'lowBattery', 'silent'],
  'time-controller': ['wrongClock', 'manual', 'stuckContactor'],
};

/** A 12.8 V battery of iron phosphate, its panel and its lamp. */
export const solarParts = { capacityAh: 60, panelWatts: 120, lampWatts: 30, cutOff: 10 } as const;
