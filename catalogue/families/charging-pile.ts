import { defineFamily, type CrossRule } from '../family.ts';
import { integer } from '../fields/integer.ts';
import { number } from '../fields/number.ts';
import { select } from '../fields/select.ts';
import {
  connectionSection,
  counterMaxField,
  identitySection,
  lifeSection,
  listOf,
  narrowed,
  placeSection,
  portNeedsIp,
  readCommand,
  sharedFields,
  sharedRules,
} from './shared.ts';

/** Limit of AC charging in watts: three phases of 63 A. */
const acLimit = 43_500;
const acPower: CrossRule = {
  name: 'contradicts',
  statement: `With \`type\` \`ac\`, \`power\` is at most ${acLimit} W.`,
  check: (v) =>
    v['type'] === 'ac' && typeof v['power'] === 'number' && v['power'] > acLimit
      ? [{ field: 'power', rule: 'contradicts' }]
      : [],
};

/** 充电桩: sells energy through one or more connectors. */
export const chargingPile = defineFamily({
  key: 'charging-pile',
  fields: [
    ...narrowed(
      sharedFields,
      number('power', { unit: 'W', decimals: 1, min: 0, max: 600000, column: 'rated_watts', sort: true }),
    ),
    select('type', { optionSet: 'pileType', options: ['ac', 'dc'], filter: true, sort: true }),
    integer('connectorNum', { min: 1, max: 8, sort: true }),
    counterMaxField,
  ],
  sections: [identitySection('type', 'connectorNum', 'counterMax'), placeSection, connectionSection, lifeSection],
  listColumns: listOf(['type', 'connectorNum'], ['connectorStatus', 'chargingPower', 'soc']),
  rules: [...sharedRules, portNeedsIp, acPower],
  quantities: [
    'connectorStatus',
    'energy',
    'chargingVoltage',
    'chargingCurrent',
    'chargingPower',
    'soc',
    'sessionEnergy',
    'temperature',
    'rssi',
  ],
  commands: [readCommand],
  report: { lit: 60, unlit: 60, heartbeat: 300 },
  examples: [
    {
      equipmentCode: 'CP-01',
      equipmentName: '滨江大道 1 号充电桩',
      workId: 1,
      roadId: 1,
      lamppostId: 1,
      type: 'ac',
      connectorNum: 1,
      power: 7000,
      ip: '10.20.6.1',
      port: 9000,
    },
    { equipmentCode: 'CP-02', equipmentName: '江南路快充桩', workId: 1, type: 'dc', connectorNum: 2, power: 120000 },
  ],
  exampleReading: {
    connectorStatus: 'charging',
    energy: 48211.52,
    chargingVoltage: 228.4,
    chargingCurrent: 30.2,
    chargingPower: 6898,
    soc: 64,
    sessionEnergy: 12.41,
    temperature: 41,
    rssi: -72,
  },
});
