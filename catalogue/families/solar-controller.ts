import { defineFamily, type CrossRule } from '../family.ts';
import { integer } from '../fields/integer.ts';
import { number } from '../fields/number.ts';
import { select } from '../fields/select.ts';
import {
  complete,
  connectionSection,
  identitySection,
  lifeSection,
  listOf,
  placeSection,
  readCommand,
  sharedFields,
  sharedRules,
} from './shared.ts';

/**
 * The cut-off voltage is below the reconnect voltage, and that below the full charge: otherwise the load would flutter
 * or the battery would boil.
 */
const voltagesInOrder: CrossRule = {
  name: 'above',
  statement: '`overDischargeVoltage`, `reconnectVoltage` and `overChargeVoltage` rise in this order.',
  check: (v) =>
    [
      ['overDischargeVoltage', 'reconnectVoltage'],
      ['reconnectVoltage', 'overChargeVoltage'],
      ['overDischargeVoltage', 'overChargeVoltage'],
    ]
      .flatMap(([low = '', high = '']) => {
        const [a, b] = [v[low], v[high]];
        return typeof a === 'number' && typeof b === 'number' && b <= a
          ? [{ field: high, rule: 'above' as const, params: { min: a } }]
          : [];
      })
      .filter((problem, index, all) => all.findIndex((other) => other.field === problem.field) === index),
};

/**
 * 太阳能控制器: charges a battery by day and feeds its lamp by night; settings are bounded by 50 V and 30 minutes (specified
 * 9.8).
 */
export const solarController = defineFamily({
  key: 'solar-controller',
  fields: [
    ...sharedFields,
    select('batteryType', {
      optionSet: 'batteryType',
      options: ['ternary_lithium', 'lifepo4', 'gel', 'liquid', 'custom'],
      filter: true,
      sort: true,
    }),
    number('batteryVoltage', { unit: 'V', decimals: 2, min: 0, max: 50, sort: true }),
    number('batteryCapacity', { unit: 'Ah', decimals: 2, min: 0, max: 10000, sort: true }),
    number('pvPower', { unit: 'W', decimals: 2, min: 0, max: 10000, sort: true }),
    number('overDischargeVoltage', { unit: 'V', decimals: 2, min: 0, max: 50 }),
    number('reconnectVoltage', { unit: 'V', decimals: 2, min: 0, max: 50 }),
    number('overChargeVoltage', { unit: 'V', decimals: 2, min: 0, max: 50 }),
    integer('lightDelay', { unit: 'min', min: 0, max: 30 }),
    integer('sensitivity', { min: 0, max: 255 }),
  ],
  sections: [
    identitySection(),
    placeSection,
    {
      key: 'electrical',
      fields: [
        'batteryType',
        'batteryVoltage',
        'batteryCapacity',
        'pvPower',
        'overDischargeVoltage',
        'reconnectVoltage',
        'overChargeVoltage',
      ],
    },
    { key: 'parameters', fields: ['lightDelay', 'sensitivity'] },
    connectionSection,
    lifeSection,
  ],
  listColumns: listOf(['model', 'batteryType'], ['battery', 'batteryVoltage', 'pvPower', 'loadPower', 'chargeStage']),
  rules: [
    ...sharedRules,
    voltagesInOrder,
    complete('batteryType', ['overDischargeVoltage', 'overChargeVoltage'], ['custom']),
  ],
  quantities: [
    'pvVoltage',
    'pvCurrent',
    'pvPower',
    'batteryVoltage',
    'batteryCurrent',
    'battery',
    'loadVoltage',
    'loadCurrent',
    'loadPower',
    'chargeStage',
    'dayCharge',
    'dayDischarge',
    'temperature',
    'rssi',
  ],
  commands: [readCommand],
  report: { lit: 900, unlit: 900, heartbeat: 300 },
  examples: [
    {
      equipmentCode: 'SC-11',
      equipmentName: '滨江公园 11 号太阳能控制器',
      workId: 1,
      lamppostId: 1,
      batteryType: 'lifepo4',
      batteryVoltage: 12.8,
      batteryCapacity: 60,
      pvPower: 120,
      overDischargeVoltage: 10.8,
      reconnectVoltage: 12.2,
      overChargeVoltage: 14.4,
      lightDelay: 5,
      sensitivity: 120,
    },
    {
      equipmentCode: 'SC-12',
      equipmentName: '滨江公园 12 号太阳能控制器',
      workId: 1,
      batteryType: 'gel',
      batteryVoltage: 24,
    },
  ],
  exampleReading: {
    pvVoltage: 18.4,
    pvCurrent: 4.21,
    pvPower: 77.5,
    batteryVoltage: 13.2,
    batteryCurrent: 3.9,
    battery: 81,
    loadVoltage: 0,
    loadCurrent: 0,
    loadPower: 0,
    chargeStage: 'bulk',
    dayCharge: 18.4,
    dayDischarge: 15.1,
    temperature: 29.5,
    rssi: -92,
  },
});
