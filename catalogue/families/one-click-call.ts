import { defineFamily } from '../family.ts';
import { code } from '../fields/code.ts';
import { phone } from '../fields/pattern.ts';
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

/** 一键呼叫: a button that rings the duty room; calls are answered over SIP. */
export const oneClickCall = defineFamily({
  key: 'one-click-call',
  fields: [...sharedFields, code('sip', { maxLength: 64, sort: true }), phone('phone')],
  sections: [
    identitySection(),
    placeSection,
    { key: 'parameters', fields: ['sip', 'phone'] },
    connectionSection,
    lifeSection,
  ],
  listColumns: listOf(['model', 'sip'], ['registered', 'inCall']),
  // A call number belongs to the exchange it is registered with.
  rules: [...sharedRules, portNeedsIp, complete('sip', ['channelId'])],
  quantities: ['registered', 'inCall', 'temperature', 'rssi'],
  commands: [readCommand],
  report: { lit: 300, unlit: 300, heartbeat: 300 },
  examples: [
    {
      equipmentCode: 'SOS-01',
      equipmentName: '滨江大道 1 号求助',
      workId: 1,
      roadId: 1,
      lamppostId: 1,
      sip: '33010600001340000001',
      phone: '13800138000',
      channelId: 1,
      ip: '10.20.4.1',
      port: 5060,
    },
    { equipmentCode: 'SOS-02', equipmentName: '江南路 2 号求助', workId: 1 },
  ],
  exampleReading: { registered: true, inCall: false, temperature: 30.5, rssi: -70 },
});
