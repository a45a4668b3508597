import { defineFamily } from '../family.ts';
import { code } from '../fields/code.ts';
import { integer } from '../fields/integer.ts';
import { secret } from '../fields/secret.ts';
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

/** 安防摄像机: registers at a platform by its SIP number (GB/T 28181), or is reached at its address. */
export const securityCamera = defineFamily({
  key: 'security-camera',
  fields: [
    ...sharedFields,
    code('sip', { maxLength: 64, sort: true }),
    secret('securityCode', { maxLength: 64 }),
    integer('channelNo', { min: 0, max: 65535, sort: true }),
  ],
  sections: [
    identitySection(),
    placeSection,
    { key: 'parameters', fields: ['sip', 'channelNo', 'securityCode'] },
    connectionSection,
    lifeSection,
  ],
  listColumns: listOf(['model', 'sip', 'channelNo'], ['recording', 'videoLost', 'diskUsed']),
  // A SIP number belongs to the platform it registers with.
  rules: [...sharedRules, portNeedsIp, complete('sip', ['channelId'])],
  quantities: ['recording', 'videoLost', 'diskUsed', 'temperature'],
  commands: [readCommand],
  report: { lit: 300, unlit: 300, heartbeat: 300 },
  examples: [
    {
      equipmentCode: 'CAM-01',
      equipmentName: '滨江大道 1 号摄像机',
      workId: 1,
      roadId: 1,
      lamppostId: 1,
      sip: '33010600001320000001',
      channelId: 1,
      channelNo: 1,
      securityCode: 'ABCDEF',
      ip: '10.20.9.1',
      port: 554,
      auType: true,
      username: 'admin',
      password: 'Pw-4711',
    },
    { equipmentCode: 'CAM-02', equipmentName: '江南路摄像机', workId: 1, ip: '10.20.9.2', port: 8000 },
  ],
  exampleReading: { recording: true, videoLost: false, diskUsed: 72.5, temperature: 42.5 },
});
