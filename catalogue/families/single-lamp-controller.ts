import { lampAlarms } from '../alarms/lamp.ts';
import { lampSilent } from '../alarms/links.ts';
import { defineFamily, type Command } from '../family.ts';
import { integer } from '../fields/integer.ts';
import { number } from '../fields/number.ts';
import { reference } from '../fields/reference.ts';
import { select } from '../fields/select.ts';
import {
  lifeSection,
  connectionSection,
  counterMaxField,
  narrowed,
  readCommand,
  sharedFields,
  sharedRules,
} from './shared.ts';

/** Levels are equal within this many percentage points. */
const points = 5;
const shows = (level: number) => ({ level: { about: level, within: points }, relay: level > 0 });
const commands: readonly Command[] = [
  { key: 'on', args: [], lasting: true, proves: () => shows(100), light: () => 100, emergency: true },
  { key: 'off', args: [], lasting: true, proves: () => shows(0), light: () => 0 },
  {
    key: 'dim',
    args: [integer('level', { required: true, unit: 'percent', min: 1, max: 100 })],
    lasting: true,
    proves: ({ level }) => shows(Number(level)),
    light: ({ level }) => (typeof level === 'number' ? level : 100),
  },
  { key: 'auto', args: [], lasting: false, light: () => null, emergency: true },
  readCommand,
  // The answer's message names the plan that the lamp runs.
  { ...readCommand, key: 'readPlan' },
];

/** 单灯控制器: switches, dims and meters one lamp head; speaks for itself or through its central controller. */
export const singleLampController = defineFamily({
  key: 'single-lamp-controller',
  fields: [
    ...narrowed(
      sharedFields,
      number('power', { unit: 'W', decimals: 1, min: 0, max: 1000, column: 'rated_watts', sort: true }),
    ),
    // Colour temperature of the lamp head: the night map draws the light in it.
    integer('cct', { unit: 'K', min: 1800, max: 6500 }),
    counterMaxField,
    integer('grouping', { min: 0, max: 255 }),
    integer('number', { min: 0, max: 65535, sort: true }),
    integer('savePower', { min: 0, max: 6 }),
    select('type', { optionSet: 'dimming', options: ['switch', 'analog', 'pwm', 'dali'], filter: true, sort: true }),
    select('com', {
      optionSet: 'link',
      options: ['plc', 'zigbee', 'lora', 'nb_iot', 'cellular', 'ethernet'],
      filter: true,
      sort: true,
    }),
    reference('rtuId', { to: { family: 'central-controller' }, column: 'parent_id', filter: true }),
    // The loop that feeds it; empty: the loop of its pole.
    reference('loopId', { to: { record: 'loop' }, column: 'loop_id', filter: true }),
  ],
  sections: [
    {
      key: 'identity',
      fields: ['equipmentCode', 'equipmentName', 'equipmentNum', 'power', 'counterMax', 'cct', 'type', 'status'],
    },
    {
      key: 'place',
      fields: ['workId', 'roadId', 'roadside', 'equipmentGroup', 'lamppostId', 'area', 'longitude', 'latitude'],
    },
    { key: 'control', fields: ['rtuId', 'loopId', 'com', 'number', 'grouping', 'savePower'] },
    connectionSection,
    lifeSection,
  ],
  listColumns: [
    'equipmentCode',
    'equipmentName',
    'ip',
    'manufacturer',
    'type',
    'workId',
    'roadId',
    'lamppostId',
    'isOnline',
    'latest.level',
    'latest.power',
    'latest.voltage',
    'latest.energy',
    'status',
    'latchedPosition',
    'updateTime',
  ],
  // No rule of its own: level, bus address and branch are valid for every way of dimming and every link. The register
  // checks the pole's capacity.
  rules: sharedRules,
  quantities: [
    'voltage',
    'current',
    'power',
    'apparentPower',
    'reactivePower',
    'powerFactor',
    'energy',
    'commandLevel',
    'reason',
    'level',
    'relay',
    'runHours',
    'switchCount',
    'leakage',
    'temperature',
    'rssi',
    'snr',
    'hops',
    'driverFault',
  ],
  commands,
  alarms: [lampSilent, ...lampAlarms],
  report: { lit: 900, unlit: 3600, heartbeat: 300 },
  examples: [
    {
      equipmentCode: 'BJ-0118',
      equipmentName: '滨江大道 北侧 12 号灯',
      workId: 1,
      roadId: 1,
      roadside: 'left',
      lamppostId: 1,
      power: 150,
      counterMax: 99999.999,
      cct: 3000,
      type: 'dali',
      com: 'plc',
      rtuId: 2,
      number: 18,
      grouping: 1,
      savePower: 1,
      longitude: 120.21,
      latitude: 30.21,
      manufacturer: '萤火照明',
      model: 'LED-150',
    },
    {
      equipmentCode: 'BJ-0119',
      equipmentName: '滨江大道 13 号灯',
      workId: 1,
      power: 80.5,
      auType: true,
      username: 'lamp',
      password: 'Pw-4711',
      channelId: 1,
    },
  ],
  exampleReading: {
    voltage: 226.8,
    current: 0.402,
    power: 87.4,
    apparentPower: 91.2,
    reactivePower: 25.9,
    powerFactor: 0.958,
    energy: 1204.513,
    commandLevel: 60,
    reason: 'programme',
    level: 60,
    relay: true,
    runHours: 10211.5,
    switchCount: 812,
    leakage: 0.4,
    temperature: 41.2,
    rssi: -81,
    snr: 9.5,
    hops: 2,
    driverFault: false,
  },
});
