import { gatewaySilent } from '../alarms/links.ts';
import { defineFamily } from '../family.ts';
import { date } from '../fields/date.ts';
import { sim } from '../fields/pattern.ts';
import { select } from '../fields/select.ts';
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
  simExpiryNeedsSim,
} from './shared.ts';

/** 网关: connects devices on poles and speaks for them. A smart one decides by itself while the line is down. */
export const gateway = defineFamily({
  key: 'gateway',
  fields: [
    ...sharedFields,
    select('type', {
      optionSet: 'gatewayType',
      options: ['smart', 'ordinary'],
      filter: true,
      sort: true,
      initial: 'ordinary',
    }),
    sim('simNum'),
    date('simExpiry', { sort: true }),
  ],
  sections: [
    identitySection('type'),
    placeSection,
    { key: 'parameters', fields: ['simNum', 'simExpiry'] },
    connectionSection,
    lifeSection,
  ],
  listColumns: listOf(['type'], ['children', 'rssi', 'cpu']),
  rules: [...sharedRules, portNeedsIp, simExpiryNeedsSim],
  quantities: ['children', 'cpu', 'memory', 'diskUsed', 'clockOffset', 'temperature', 'rssi'],
  commands: [readCommand],
  alarms: [gatewaySilent],
  report: { lit: 300, unlit: 300, heartbeat: 300 },
  examples: [
    {
      equipmentCode: 'GW-01',
      equipmentName: '滨江大道 1 号网关',
      workId: 1,
      roadId: 1,
      lamppostId: 1,
      type: 'smart',
      simNum: '89860412345678901235',
      simExpiry: '2027-03-31',
      warrantyUntil: '2029-06-30',
      ip: '10.20.1.1',
      port: 8883,
      auType: true,
      username: 'gateway',
      password: 'Pw-4711',
      channelId: 1,
    },
    { equipmentCode: 'GW-02', equipmentName: '江南路 2 号网关', workId: 1, type: 'ordinary' },
  ],
  exampleReading: {
    children: 42,
    cpu: 17.5,
    memory: 38.2,
    diskUsed: 24,
    clockOffset: 0.2,
    temperature: 38.5,
    rssi: -69,
  },
});
