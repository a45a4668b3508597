import { defineFamily, type CrossRule } from '../family.ts';
import { integer } from '../fields/integer.ts';
import { select } from '../fields/select.ts';
import { text } from '../fields/text.ts';
import {
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

const resolution: CrossRule = {
  name: 'resolution',
  statement: '`resolvingPower` is width × height in pixels, such as 192×320.',
  check: (v) =>
    typeof v['resolvingPower'] === 'string' && !/^[1-9]\d{1,4} ?[x×*] ?[1-9]\d{1,4}$/i.test(v['resolvingPower'])
      ? [{ field: 'resolvingPower', rule: 'resolution' }]
      : [],
};

/** 信息屏: shows released content; its control card opens the connection. */
export const informationScreen = defineFamily({
  key: 'information-screen',
  fields: [
    ...sharedFields,
    select('informationType', {
      optionSet: 'screenType',
      open: true,
      options: ['led_full', 'led_two_colour', 'led_one_colour', 'lcd'],
      filter: true,
      sort: true,
    }),
    text('resolvingPower', { maxLength: 16, sort: true }),
    integer('volume', { unit: 'percent', min: 0, max: 100 }),
  ],
  sections: [
    identitySection('informationType', 'resolvingPower'),
    placeSection,
    { key: 'parameters', fields: ['volume'] },
    connectionSection,
    lifeSection,
  ],
  listColumns: listOf(['informationType', 'resolvingPower'], ['screenOn', 'brightness', 'diskUsed']),
  rules: [...sharedRules, portNeedsIp, resolution],
  quantities: ['screenOn', 'brightness', 'diskUsed', 'temperature', 'rssi'],
  commands: [readCommand],
  report: { lit: 300, unlit: 300, heartbeat: 300 },
  examples: [
    {
      equipmentCode: 'IS-05',
      equipmentName: '滨江大道 5 号信息屏',
      workId: 1,
      roadId: 1,
      lamppostId: 1,
      informationType: 'led_full',
      resolvingPower: '192×320',
      volume: 40,
      ip: '10.20.2.5',
      port: 443,
      power: 350,
    },
    {
      equipmentCode: 'IS-06',
      equipmentName: '江南路公交站屏',
      workId: 1,
      informationType: 'lcd',
      resolvingPower: '1920×1080',
    },
  ],
  exampleReading: { screenOn: true, brightness: 65, diskUsed: 31.5, temperature: 44, rssi: -71 },
});
