import type { Family } from '../family.ts';
import { centralController } from './central-controller.ts';
import { chargingPile } from './charging-pile.ts';
import { controlBox } from './control-box.ts';
import { environmentalMonitor } from './environmental-monitor.ts';
import { gateway } from './gateway.ts';
import { informationScreen } from './information-screen.ts';
import { lampPole } from './lamp-pole.ts';
import { manholeCover } from './manhole-cover.ts';
import { microStation5g } from './micro-station-5g.ts';
import { oneClickCall } from './one-click-call.ts';
import { parkingLock } from './parking-lock.ts';
import { poleTiltSensor } from './pole-tilt-sensor.ts';
import { publicBroadcast } from './public-broadcast.ts';
import { securityCamera } from './security-camera.ts';
import { singleLampController } from './single-lamp-controller.ts';
import { solarController } from './solar-controller.ts';
import { timeController } from './time-controller.ts';
import { transformer } from './transformer.ts';
import { trashCan } from './trash-can.ts';
import { wifi } from './wifi.ts';

/** Every device family in display order: what carries, what lights, what feeds and controls, other mounted devices. */
export const families: readonly Family[] = [
  lampPole,
  singleLampController,
  centralController,
  timeController,
  solarController,
  gateway,
  transformer,
  controlBox,
  informationScreen,
  publicBroadcast,
  oneClickCall,
  securityCamera,
  environmentalMonitor,
  chargingPile,
  wifi,
  microStation5g,
  poleTiltSensor,
  manholeCover,
  trashCan,
  parkingLock,
];

const byKey: ReadonlyMap<string, Family> = new Map(families.map((family) => [family.key, family]));

/** The family of a key; undefined: the key is unknown. */
export const familyOf = (key: string): Family | undefined => byKey.get(key);
/** Whether the target of a reference is declared: only then forms offer the field. */
export const isDeclared = (to: { readonly record: string } | { readonly family: string }): boolean =>
  'record' in to || byKey.has(to.family);
