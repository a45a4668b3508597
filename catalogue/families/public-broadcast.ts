import { defineFamily } from '../family.ts';
import { code } from '../fields/code.ts';
import { integer } from '../fields/integer.ts';
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

/** 公共广播: a loudspeaker with an address of its own. */
export const publicBroadcast = defineFamily({
  key: 'public-broadcast',
  fields: [
    ...sharedFields,
    code('sip', { maxLength: 64, sort: true }),
    integer('volume', { unit: 'percent', min: 0, max: 100, sort: true }),
  ],
  sections: [
    identitySection(),
    placeSection,
    { key: 'parameters', fields: ['sip', 'volume'] },
    connectionSection,
    lifeSection,
  ],
  listColumns: listOf(['model', 'sip'], ['playing', 'volume']),
  rules: [...sharedRules, portNeedsIp],
  quantities: ['playing', 'volume', 'temperature', 'rssi'],
  commands: [readCommand],
  report: { lit: 300, unlit: 300, heartbeat: 300 },
  examples: [
    {
      equipmentCode: 'PB-02',
      equipmentName: '滨江大道 2 号音柱',
      workId: 1,
      roadId: 1,
      lamppostId: 1,
      sip: '33010600001310000002',
      volume: 60,
      ip: '10.20.3.2',
      port: 5060,
      power: 40,
    },
    { equipmentCode: 'PB-03', equipmentName: '江南路 3 号音柱', workId: 1 },
  ],
  exampleReading: { playing: false, volume: 60, temperature: 35.5, rssi: -66 },
});
