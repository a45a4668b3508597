import { defineFamily } from '../family.ts';
import { code } from '../fields/code.ts';
import {
  connectionSection,
  identitySection,
  lifeSection,
  listOf,
  placeSection,
  readCommand,
  sharedFields,
  sharedRules,
} from './shared.ts';

/** 车位锁: an arm that keeps a bay free. */
export const parkingLock = defineFamily({
  key: 'parking-lock',
  fields: [...sharedFields, code('bayNo', { maxLength: 32, sort: true })],
  sections: [identitySection('bayNo'), placeSection, connectionSection, lifeSection],
  listColumns: listOf(['model', 'bayNo'], ['arm', 'carPresent', 'battery']),
  // No rule of its own: the bay is its only own field.
  rules: sharedRules,
  quantities: ['arm', 'carPresent', 'battery', 'temperature', 'rssi'],
  commands: [readCommand],
  report: { lit: 900, unlit: 900, heartbeat: 900 },
  examples: [
    {
      equipmentCode: 'PL-A12',
      equipmentName: 'A12 车位锁',
      workId: 1,
      roadId: 1,
      bayNo: 'A-12',
      longitude: 120.21,
      latitude: 30.21,
    },
    { equipmentCode: 'PL-A13', equipmentName: 'A13 车位锁', workId: 1 },
  ],
  exampleReading: { arm: 'up', carPresent: false, battery: 77, temperature: 19.5, rssi: -95 },
});
