import { code } from '../fields/code.ts';
import { port } from '../fields/port.ts';
import { reference } from '../fields/reference.ts';
import { secret } from '../fields/secret.ts';
import { select } from '../fields/select.ts';
import { text } from '../fields/text.ts';
import { defineRecord } from '../record.ts';

/** Protocols of channels: information for people; no code depends on them yet. */
export const channelProtocols = [
  'mqtt',
  'tcp',
  'udp',
  'http',
  'modbus',
  'talq',
  'hj212',
  'ocpp',
  'gb28181',
  'onvif',
  'sip',
  'other',
] as const;

/**
 * 通道: the access path to devices with authentication (specified 9.6: with authentication on, user name, password and
 * channel are required): a platform, a gateway service or a line, with its protocol, address and account.
 */
export const channel = defineRecord({
  key: 'channel',
  table: 'channel',
  areaColumn: 'work_area_id',
  codeField: 'channelCode',
  codeWithin: 'workId',
  nameField: 'channelName',
  fields: [
    code('channelCode', { required: true, maxLength: 64, column: 'channel_code', sort: true }),
    text('channelName', { required: true, maxLength: 64, column: 'channel_name', sort: true }),
    select('protocol', {
      required: true,
      optionSet: 'channelProtocol',
      options: channelProtocols,
      initial: 'mqtt',
      column: 'protocol',
      filter: true,
      sort: true,
    }),
    select('status', {
      required: true,
      optionSet: 'status',
      options: ['enabled', 'disabled'],
      initial: 'enabled',
      column: 'status',
      filter: true,
      sort: true,
    }),
    reference('workId', {
      required: true,
      to: { record: 'work-area' },
      column: 'work_area_id',
      filter: true,
      sort: true,
    }),
    text('host', { maxLength: 128, column: 'host', sort: true }),
    port('port', { column: 'port', sort: true }),
    text('account', { maxLength: 64, column: 'account' }),
    secret('password', { maxLength: 128, column: 'password' }),
    text('description', { maxLength: 200, lines: true, column: 'description' }),
  ],
  rules: [],
  sections: [
    { key: 'identity', fields: ['channelCode', 'channelName', 'protocol', 'status', 'workId', 'description'] },
    { key: 'connection', fields: ['host', 'port', 'account', 'password'] },
  ],
  listColumns: ['channelCode', 'channelName', 'protocol', 'host', 'port', 'status', 'workId'],
  usedBy: [{ table: 'device', column: 'channel_id', text: 'device' }],
  examples: [
    {
      channelCode: 'CH-1',
      channelName: '单灯接入',
      protocol: 'mqtt',
      status: 'enabled',
      host: 'mqtt.example.net',
      port: 1884,
      account: 'lamps',
      password: 'Pw-4711',
      workId: 1,
    },
    {
      channelCode: 'SIP-2',
      channelName: '视频汇聚',
      protocol: 'gb28181',
      status: 'disabled',
      workId: 1,
      description: '国标级联',
    },
  ],
});
