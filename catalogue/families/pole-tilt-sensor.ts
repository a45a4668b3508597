import { defineFamily } from '../family.ts';
import { number } from '../fields/number.ts';
import { reference } from '../fields/reference.ts';
import {
  complete,
  connectionSection,
  identitySection,
  lifeSection,
  listOf,
  narrowed,
  placeSection,
  readCommand,
  sharedFields,
  sharedRules,
} from './shared.ts';

/** 灯杆倾斜传感器: measures the tilt of its pole against the zero of its installation. */
export const poleTiltSensor = defineFamily({
  key: 'pole-tilt-sensor',
  fields: [
    ...narrowed(
      sharedFields,
      reference('lamppostId', {
        required: true,
        to: { family: 'lamp-pole' },
        column: 'pole_id',
        filter: true,
        sort: true,
      }),
    ),
    number('zeroX', { unit: 'degree', decimals: 2, min: -90, max: 90 }),
    number('zeroY', { unit: 'degree', decimals: 2, min: -90, max: 90 }),
  ],
  sections: [
    identitySection(),
    placeSection,
    { key: 'parameters', fields: ['zeroX', 'zeroY'] },
    connectionSection,
    lifeSection,
  ],
  listColumns: listOf(['model'], ['tiltX', 'tiltY', 'vibration', 'battery']),
  // A zero has two axes: both are given or none.
  rules: [...sharedRules, complete('zeroX', ['zeroY']), complete('zeroY', ['zeroX'])],
  quantities: ['tiltX', 'tiltY', 'vibration', 'battery', 'temperature', 'rssi'],
  commands: [readCommand],
  report: { lit: 3600, unlit: 3600, heartbeat: 3600 },
  examples: [
    {
      equipmentCode: 'TS-12',
      equipmentName: '12 号杆倾斜',
      workId: 1,
      roadId: 1,
      lamppostId: 1,
      zeroX: 0.35,
      zeroY: -0.12,
    },
    { equipmentCode: 'TS-13', equipmentName: '13 号杆倾斜', workId: 1, lamppostId: 1 },
  ],
  exampleReading: { tiltX: 0.4, tiltY: -0.1, vibration: 0.02, battery: 93, temperature: 22.5, rssi: -99 },
});
