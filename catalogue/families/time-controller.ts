import { defineFamily } from '../family.ts';
import { reference } from '../fields/reference.ts';
import { select } from '../fields/select.ts';
import { loopNumbers } from '../quantities/index.ts';
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

/** 时控器: the clock in a cabinet; switches a few loops by a table of the year, with little or no metering. */
export const timeController = defineFamily({
  key: 'time-controller',
  fields: [
    ...sharedFields,
    reference('controlId', { to: { family: 'control-box' }, column: 'box_id', filter: true }),
    select('type', {
      optionSet: 'timerType',
      options: ['astronomical', 'fixed', 'light', 'combined'],
      filter: true,
      sort: true,
    }),
  ],
  sections: [
    identitySection('type'),
    placeSection,
    { key: 'control', fields: ['controlId'] },
    connectionSection,
    lifeSection,
  ],
  listColumns: listOf(['type', 'controlId'], ['selector', 'loop1Contactor', 'clockOffset']),
  // Sunrise and sunset need a place.
  rules: [...sharedRules, complete('type', ['longitude', 'latitude'], ['astronomical', 'combined'])],
  quantities: [
    'clockOffset',
    'selector',
    ...loopNumbers.flatMap((n) => [`loop${n}Contactor`, `loop${n}Aux`]),
    'battery',
    'temperature',
    'rssi',
  ],
  commands: [readCommand],
  report: { lit: 3600, unlit: 3600, heartbeat: 300 },
  examples: [
    {
      equipmentCode: 'TC-07',
      equipmentName: '江南路 7 号时控器',
      workId: 1,
      roadId: 1,
      controlId: 2,
      type: 'astronomical',
      longitude: 120.21,
      latitude: 30.21,
      manufacturer: '萤火照明',
      model: 'TC-4L',
    },
    { equipmentCode: 'TC-08', equipmentName: '江南路 8 号时控器', workId: 1, type: 'fixed' },
  ],
  exampleReading: {
    clockOffset: -1.2,
    selector: 'auto',
    loop1Contactor: true,
    loop1Aux: true,
    loop2Contactor: false,
    loop2Aux: false,
    battery: 96,
    temperature: 31,
    rssi: -74,
  },
});
