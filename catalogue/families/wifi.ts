import { defineFamily } from '../family.ts';
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

/** WiFi: an access point for the public. */
export const wifi = defineFamily({
  key: 'wifi',
  fields: [
    ...sharedFields,
    text('ssid', { maxLength: 32, sort: true }),
    select('band', { optionSet: 'wifiBand', options: ['2_4', '5', 'dual'], filter: true }),
  ],
  sections: [
    identitySection(),
    placeSection,
    { key: 'parameters', fields: ['ssid', 'band'] },
    connectionSection,
    lifeSection,
  ],
  listColumns: listOf(['model', 'ssid'], ['clients', 'throughput']),
  rules: [...sharedRules, portNeedsIp],
  quantities: ['clients', 'throughput', 'cpu', 'memory', 'temperature'],
  commands: [readCommand],
  report: { lit: 300, unlit: 300, heartbeat: 300 },
  examples: [
    {
      equipmentCode: 'AP-01',
      equipmentName: '滨江大道 1 号热点',
      workId: 1,
      roadId: 1,
      lamppostId: 1,
      ssid: 'City-Free-WiFi',
      band: 'dual',
      ip: '10.20.7.1',
      port: 443,
    },
    { equipmentCode: 'AP-02', equipmentName: '江南路热点', workId: 1 },
  ],
  exampleReading: { clients: 12, throughput: 38.6, cpu: 21, memory: 44.5, temperature: 39 },
});
