import { defineFamily } from '../family.ts';
import { integer } from '../fields/integer.ts';
import { select } from '../fields/select.ts';
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

/** 垃圾桶: reports fill level and temperature. */
export const trashCan = defineFamily({
  key: 'trash-can',
  fields: [
    ...sharedFields,
    select('type', {
      optionSet: 'wasteType',
      open: true,
      options: ['residual', 'recyclable', 'food', 'hazardous'],
      filter: true,
      sort: true,
    }),
    integer('capacity', { unit: 'L', min: 1, max: 5000, sort: true }),
  ],
  sections: [identitySection('type', 'capacity'), placeSection, connectionSection, lifeSection],
  listColumns: listOf(['type', 'capacity'], ['fill', 'temperature', 'battery']),
  // No rule of its own: the kind of waste says nothing about the size.
  rules: sharedRules,
  quantities: ['fill', 'temperature', 'battery', 'rssi'],
  commands: [readCommand],
  report: { lit: 3600, unlit: 3600, heartbeat: 3600 },
  examples: [
    {
      equipmentCode: 'TB-01',
      equipmentName: '滨江大道 1 号垃圾桶',
      workId: 1,
      roadId: 1,
      lamppostId: 1,
      type: 'recyclable',
      capacity: 120,
    },
    { equipmentCode: 'TB-02', equipmentName: '江南路垃圾桶', workId: 1 },
  ],
  exampleReading: { fill: 42, temperature: 24.5, battery: 91, rssi: -98 },
});
