import { defineFamily } from '../family.ts';
import { integer } from '../fields/integer.ts';
import { reference } from '../fields/reference.ts';
import { select } from '../fields/select.ts';
import { connectionSection, identitySection, lifeSection, readCommand, sharedExcept, sharedRules } from './shared.ts';

/** 井盖: stands near a pole, not on one; reports when it is moved, when the water below rises, and gas. */
export const manholeCover = defineFamily({
  key: 'manhole-cover',
  fields: [
    ...sharedExcept('lamppostId'),
    reference('nearLamppost', { to: { family: 'lamp-pole' }, filter: true }),
    select('type', {
      optionSet: 'manholeType',
      open: true,
      options: ['rainwater', 'sewage', 'water', 'power', 'telecom', 'gas', 'heating'],
      filter: true,
      sort: true,
    }),
    integer('diameter', { unit: 'mm', min: 100, max: 3000, sort: true }),
    select('material', {
      optionSet: 'manholeMaterial',
      open: true,
      options: ['ductile_iron', 'composite', 'concrete', 'steel'],
      filter: true,
    }),
  ],
  sections: [
    identitySection('type', 'diameter', 'material'),
    {
      key: 'place',
      fields: ['workId', 'roadId', 'roadside', 'equipmentGroup', 'nearLamppost', 'area', 'longitude', 'latitude'],
    },
    connectionSection,
    lifeSection,
  ],
  listColumns: [
    'equipmentCode',
    'equipmentName',
    'ip',
    'manufacturer',
    'type',
    'diameter',
    'workId',
    'roadId',
    'nearLamppost',
    'isOnline',
    'latest.tilt',
    'latest.waterLevel',
    'latest.battery',
    'status',
    'latchedPosition',
    'updateTime',
  ],
  // None of its own: use, diameter and material of a cover are independent of each other.
  rules: sharedRules,
  quantities: ['tilt', 'displacement', 'waterLevel', 'gas', 'battery', 'temperature', 'rssi'],
  commands: [readCommand],
  alarms: [
    {
      code: 'P404',
      level: 1,
      role: 'symptom',
      counts: 'always',
      // % of the lower explosive limit.
      raise: { quantity: 'gas', above: 20 },
      delaySeconds: 60,
      samples: 2,
      clear: { quantity: 'gas', below: 10 },
      clearDelaySeconds: 60,
      clearSamples: 2,
    },
  ],
  report: { lit: 3600, unlit: 3600, heartbeat: 3600 },
  examples: [
    {
      equipmentCode: 'MH-101',
      equipmentName: '滨江大道 101 号井盖',
      workId: 1,
      roadId: 1,
      nearLamppost: 1,
      type: 'rainwater',
      diameter: 700,
      material: 'ductile_iron',
      longitude: 120.21,
      latitude: 30.21,
    },
    { equipmentCode: 'MH-102', equipmentName: '江南路 102 号井盖', workId: 1, type: 'power' },
  ],
  exampleReading: { tilt: 1.2, displacement: 0, waterLevel: 130, gas: 0, battery: 88, temperature: 18.5, rssi: -101 },
});
