import { defineFamily } from '../family.ts';
import { code } from '../fields/code.ts';
import { select } from '../fields/select.ts';
import {
  complete,
  connectionSection,
  identitySection,
  lifeSection,
  listOf,
  placeSection,
  portNeedsIp,
  readCommand,
  sharedFields,
  sharedRules,
} from './shared.ts';

/** 环境监测: air, weather and noise. Stations of HJ 212 identify themselves by their MN. */
export const environmentalMonitor = defineFamily({
  key: 'environmental-monitor',
  fields: [
    ...sharedFields,
    select('type', {
      optionSet: 'stationType',
      options: ['air', 'noise', 'dust', 'weather'],
      filter: true,
      sort: true,
    }),
    code('mn', { maxLength: 24, sort: true }),
  ],
  sections: [
    identitySection('type'),
    placeSection,
    { key: 'parameters', fields: ['mn'] },
    connectionSection,
    lifeSection,
  ],
  listColumns: listOf(['type'], ['pm25', 'pm10', 'airTemperature', 'humidity', 'noise']),
  // The MN alone does not say what a station measures.
  rules: [...sharedRules, portNeedsIp, complete('mn', ['type'])],
  quantities: [
    'pm25',
    'pm10',
    'tsp',
    'airTemperature',
    'humidity',
    'pressure',
    'windSpeed',
    'windDirection',
    'so2',
    'no2',
    'co',
    'o3',
    'noise',
    'rssi',
  ],
  commands: [readCommand],
  report: { lit: 60, unlit: 60, heartbeat: 300 },
  examples: [
    {
      equipmentCode: 'EM-01',
      equipmentName: '滨江大道 1 号环境站',
      workId: 1,
      roadId: 1,
      lamppostId: 1,
      type: 'air',
      mn: '440300LP00000000000000A1',
      ip: '10.20.5.1',
      port: 9001,
    },
    { equipmentCode: 'EM-02', equipmentName: '江南路噪声站', workId: 1, type: 'noise' },
  ],
  exampleReading: {
    pm25: 31.2,
    pm10: 55,
    airTemperature: 28.6,
    humidity: 61.5,
    pressure: 1008.4,
    windSpeed: 2.3,
    windDirection: 135,
    so2: 6,
    no2: 24,
    co: 0.6,
    o3: 88,
    noise: 52.3,
    rssi: -77,
  },
});
