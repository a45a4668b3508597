import { defineFamily } from '../family.ts';
import { number } from '../fields/number.ts';
import {
  connectionSection,
  counterMaxField,
  identitySection,
  lifeSection,
  listOf,
  placeSection,
  portNeedsIp,
  readCommand,
  sharedFields,
  sharedRules,
} from './shared.ts';

/** 5G 微基站: a tenant that pays for power and height of a pole. */
export const microStation5g = defineFamily({
  key: 'micro-station-5g',
  fields: [
    ...sharedFields,
    number('voltage', { unit: 'V', decimals: 1, min: 0, max: 1000, sort: true }),
    number('frequency', { unit: 'MHz', decimals: 3, min: 400, max: 52600, sort: true }),
    counterMaxField,
  ],
  sections: [
    identitySection(),
    placeSection,
    { key: 'electrical', fields: ['voltage', 'frequency', 'counterMax'] },
    connectionSection,
    lifeSection,
  ],
  listColumns: listOf(['model', 'voltage', 'frequency'], ['voltage', 'power', 'temperature']),
  rules: [...sharedRules, portNeedsIp],
  quantities: ['voltage', 'frequency', 'power', 'temperature', 'energy', 'rssi'],
  commands: [readCommand],
  report: { lit: 300, unlit: 300, heartbeat: 300 },
  examples: [
    {
      equipmentCode: '5G-01',
      equipmentName: '滨江大道 1 号微站',
      workId: 1,
      roadId: 1,
      lamppostId: 1,
      voltage: 220,
      frequency: 3500,
      power: 400,
      ip: '10.20.8.1',
      port: 443,
    },
    { equipmentCode: '5G-02', equipmentName: '江南路微站', workId: 1 },
  ],
  exampleReading: { voltage: 226.5, frequency: 49.98, power: 312.4, temperature: 46.5, energy: 1822.35 },
});
