import { gatewaySilent } from '../alarms/links.ts';
import { defineFamily } from '../family.ts';
import { code } from '../fields/code.ts';
import { reference } from '../fields/reference.ts';
import { select } from '../fields/select.ts';
import { date } from '../fields/date.ts';
import { sim } from '../fields/pattern.ts';
import { text } from '../fields/text.ts';
import { loopNumbers } from '../quantities/index.ts';
import {
  lifeSection,
  connectionSection,
  counterMaxField,
  readCommand,
  sharedFields,
  sharedRules,
  simExpiryNeedsSim,
} from './shared.ts';

/** 集中控制器 (RTU): in the cabinet; loops with contactors, three-phase metering, door and water inputs; parent of lamps. */
export const centralController = defineFamily({
  key: 'central-controller',
  fields: [
    ...sharedFields,
    // The box that contains it.
    reference('controlId', { to: { family: 'control-box' }, column: 'box_id', filter: true }),
    code('controllerId', { maxLength: 64, sort: true }),
    select('rtuType', { optionSet: 'rtuType', options: ['standard', 'metering', 'gateway'], filter: true, sort: true }),
    counterMaxField,
    text('modelCode', { maxLength: 64, sort: true }),
    sim('simNum'),
    date('simExpiry', { sort: true }),
    select('curentAcquisitionMode', {
      optionSet: 'currentAcquisition',
      options: ['transformer', 'direct', 'none'],
      filter: true,
    }),
  ],
  sections: [
    {
      key: 'identity',
      fields: [
        'equipmentCode',
        'equipmentName',
        'equipmentNum',
        'controllerId',
        'rtuType',
        'modelCode',
        'status',
        'power',
        'counterMax',
      ],
    },
    {
      key: 'place',
      fields: ['workId', 'roadId', 'roadside', 'equipmentGroup', 'lamppostId', 'area', 'longitude', 'latitude'],
    },
    { key: 'control', fields: ['controlId', 'simNum', 'simExpiry', 'curentAcquisitionMode'] },
    connectionSection,
    lifeSection,
  ],
  listColumns: [
    'equipmentCode',
    'equipmentName',
    'ip',
    'manufacturer',
    'rtuType',
    'workId',
    'roadId',
    'lamppostId',
    'isOnline',
    'latest.voltageA',
    'latest.currentA',
    'latest.energy',
    'latest.door',
    'latest.selector',
    'status',
    'latchedPosition',
    'updateTime',
  ],
  // Metering needs a current.
  rules: [
    ...sharedRules,
    simExpiryNeedsSim,
    {
      name: 'contradicts',
      statement: 'With `rtuType` `metering`, `curentAcquisitionMode` is not `none`.',
      check: (v) =>
        v['rtuType'] === 'metering' && v['curentAcquisitionMode'] === 'none'
          ? [{ field: 'curentAcquisitionMode', rule: 'contradicts' }]
          : [],
    },
  ],
  quantities: [
    ...['A', 'B', 'C'].flatMap((p) => [`voltage${p}`, `current${p}`, `power${p}`, `powerFactor${p}`]),
    'energy',
    ...loopNumbers.flatMap((n) => [`loop${n}Contactor`, `loop${n}Aux`, `loop${n}Current`]),
    'door',
    'water',
    'selector',
    'clockOffset',
    'battery',
    'temperature',
    'rssi',
  ],
  commands: [readCommand],
  alarms: [gatewaySilent],
  report: { lit: 300, unlit: 300, heartbeat: 300 },
  examples: [
    {
      equipmentCode: 'RTU-03',
      equipmentName: '滨江大道 3 号集控',
      workId: 1,
      roadId: 1,
      controllerId: 'CC-000003',
      rtuType: 'metering',
      modelCode: 'RTU-6L',
      counterMax: 999999.9,
      simNum: '89860412345678901234',
      curentAcquisitionMode: 'transformer',
      ip: '10.20.0.3',
      port: 1884,
      longitude: 120.21,
      latitude: 30.21,
    },
    {
      equipmentCode: 'RTU-04',
      equipmentName: '江南路 4 号集控',
      workId: 1,
      status: 'disabled',
      leaveFactoryTime: '2022-01-05',
      installTime: '2022-06-01',
      disabledTime: '2026-01-31',
      warrantyUntil: '2025-05-31',
    },
  ],
  exampleReading: {
    voltageA: 228.4,
    currentA: 31.2,
    powerA: 6894,
    powerFactorA: 0.967,
    voltageB: 227.9,
    currentB: 29.7,
    powerB: 6551,
    powerFactorB: 0.968,
    voltageC: 229.1,
    currentC: 30.4,
    powerC: 6738,
    powerFactorC: 0.967,
    energy: 88231.4,
    loop1Contactor: true,
    loop1Aux: true,
    loop1Current: 30.1,
    door: false,
    water: false,
    selector: 'auto',
    clockOffset: 0.4,
    battery: 98,
    temperature: 33.5,
  },
});
