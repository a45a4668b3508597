import { families, schemaOfField } from '../../catalogue/index.ts';
import { defaultTable } from '../../catalogue/lighting/plan/table.ts';
import { familyText, pascal, valuesOf } from './asyncapi-families.ts';
import { guide } from './asyncapi-guide.ts';
import { examplePlan } from './asyncapi-plan.ts';
import { AckMessage, CommandMessage, limits, ReadingsMessage, SettingsMessage, StatusMessage } from './messages.ts';
import { HelloMessage, newcomerLimits, newcomerTopic, ProvisionMessage } from './newcomers.ts';
import type { BrokerAddress } from '../wire.ts';
import { topicOf, topicPrefix, type DownKind, type UpKind } from './topics.ts';

type Json = Record<string, unknown>;

const reporting = families.filter((family) => family.report !== null);
const ref = (path: string) => ({ $ref: `#/${path}` });
const at = '2026-11-21T12:00:00.000Z';

/**
 * The AsyncAPI 3 document of the device protocol, from the device's point of view: it `send`s readings and `receive`s
 * commands.
 */
export function asyncApiDocument(version: string, broker: BrokerAddress): Json {
  return {
    asyncapi: '3.0.0',
    id: 'urn:lampyris:devices',
    info: {
      title: 'Lampyris device protocol: JSON over MQTT',
      version,
      license: { name: 'Apache-2.0' },
      description: guide(limits, reporting.map(familyText)),
    },
    defaultContentType: 'application/json',
    servers: servers(broker),
    channels: {
      ...Object.fromEntries(channels.map((channel) => [channel.name, channelOf(channel)])),
      ...newcomerChannels(),
    },
    operations: {
      ...Object.fromEntries(
        channels.map((channel) => [
          `${isUp(channel.kind) ? 'send' : 'receive'}${capital(channel.name)}`,
          operationOf(channel),
        ]),
      ),
      ...newcomerOperations(),
    },
    components: {
      messages: messages(),
      schemas: Object.fromEntries(reporting.map((family) => [`${pascal(family.key)}Values`, valuesOf(family)])),
      securitySchemes: {
        batchCredentials: {
          type: 'userPassword',
          description:
            'User name and password that all devices of a batch share until they are claimed, made by an operator (POST /api/v1/batches) and shown once. The client id is the device’s own serial: 1 to 48 letters, digits, dots, dashes, underscores or colons.',
        },
        deviceCredentials: {
          type: 'userPassword',
          description:
            'User name and password of one device, issued by POST /api/v1/devices/{deviceId}/credentials and shown once. The client id must be the `clientId` issued with them.',
        },
      },
    },
  };
}

interface Channel {
  readonly name: string;
  readonly kind: UpKind | DownKind;
  readonly child: boolean;
}
const channels: readonly Channel[] = [
  ...(['readings', 'status', 'acks', 'commands', 'settings'] as const).map((kind) => ({
    name: kind,
    kind,
    child: false,
  })),
  ...(['readings', 'acks', 'commands', 'settings'] as const).map((kind) => ({
    name: `child${capital(kind)}`,
    kind,
    child: true,
  })),
];
const isUp = (kind: string) => kind === 'readings' || kind === 'status' || kind === 'acks';
function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const purposes: Readonly<Record<UpKind | DownKind, string>> = {
  readings:
    'What the device measured. Publish at QoS 1, not retained. The acknowledgement (PUBACK) means: stored for good.',
  status:
    'Whether the device is connected. Publish at QoS 1, retained, right after connecting; the last will says `online: false`. Before disconnecting on purpose publish `online: false` too.',
  acks: 'The answer to a command: executed, or refused with a reason. Publish at QoS 1 as soon as it is decided, at the latest 30 seconds after the command.',
  commands: 'What the device is asked to do. Subscribe at QoS 1.',
  settings:
    'How the device works by itself: place, time zone, table, reporting periods. Retained: it arrives right after subscribing and again when it changes. Subscribe at QoS 1.',
};
const messageOf: Readonly<Record<UpKind | DownKind, string>> = {
  readings: 'readings',
  status: 'status',
  acks: 'ack',
  commands: 'command',
  settings: 'settings',
};

/** The address with its parameters: the topic as the program writes it, with its ids replaced. */
function addressOf({ kind, child }: Channel): string {
  const [device, via] = [123_456_001, 123_456_002];
  return topicOf({ kind, deviceId: device, viaId: child ? via : null })
    .replace(String(device), child ? '{childId}' : '{deviceId}')
    .replace(String(via), '{deviceId}');
}

function channelOf(channel: Channel): Json {
  const own = {
    deviceId: {
      description: 'The id of the device whose credentials are used: the number in `clientId` after `lampyris-`.',
      examples: ['1042'],
    },
  };
  return {
    address: addressOf(channel),
    title: channel.child ? `${channel.kind} of a lamp behind this central controller` : channel.kind,
    description: `${purposes[channel.kind]}${channel.child ? ' The controller does it for the lamps that are registered under it; it subscribes with `+` in place of the child’s id.' : ''}`,
    parameters: channel.child
      ? { ...own, childId: { description: 'The id of a lamp registered under this controller.', examples: ['1043'] } }
      : own,
    messages: { [messageOf[channel.kind]]: ref(`components/messages/${messageOf[channel.kind]}`) },
    bindings: { mqtt: {} },
  };
}

function operationOf(channel: Channel): Json {
  return {
    action: isUp(channel.kind) ? 'send' : 'receive',
    channel: ref(`channels/${channel.name}`),
    summary: `${isUp(channel.kind) ? 'The device publishes' : 'The device subscribes to'} ${channel.kind}${channel.child ? ' of its lamps' : ''}.`,
    messages: [ref(`channels/${channel.name}/messages/${messageOf[channel.kind]}`)],
    bindings: {
      mqtt: { qos: 1, retain: channel.kind === 'status' || channel.kind === 'settings', bindingVersion: '0.2.0' },
    },
  };
}

/** Channels of devices that are not registered yet. */
const doors = [
  {
    name: 'newcomerHello',
    kind: 'hello',
    action: 'send',
    message: 'hello',
    text: 'Who a device of a batch is, and the password it chose for itself. Publish at QoS 1 after every connect, and again every minute while it waits: an answer that was lost comes again.',
  },
  {
    name: 'newcomerReadings',
    kind: 'readings',
    action: 'send',
    message: 'readings',
    text: `What a device measures while it waits; at most ${newcomerLimits.readingsBytes} bytes, once a minute is plenty: more is acknowledged and not kept. It is shown to the operator and goes into the history only once the device is claimed.`,
  },
  {
    name: 'newcomerProvision',
    kind: 'provision',
    action: 'receive',
    message: 'provision',
    text: 'The answer once an operator has claimed the device: its own client id. Subscribe at QoS 1 before saying hello.',
  },
] as const;

function newcomerChannels(): Json {
  const parameters = {
    batchId: { description: 'The number in the user name after `lampyris-batch-`.', examples: ['3'] },
    serial: { description: 'The client id.', examples: ['SN-000117'] },
  };
  return Object.fromEntries(
    doors.map(({ name, kind, message, text }) => [
      name,
      {
        address: newcomerTopic({ batchId: 123_456_003, serial: 'SERIAL', kind })
          .replace('123456003', '{batchId}')
          .replace('SERIAL', '{serial}'),
        title: `${kind} of a device that is not known yet`,
        description: text,
        parameters,
        messages: { [message]: ref(`components/messages/${message}`) },
        bindings: { mqtt: {} },
      },
    ]),
  );
}

function newcomerOperations(): Json {
  return Object.fromEntries(
    doors.map(({ name, action, message, kind }) => [
      `${action}${capital(name)}`,
      {
        action,
        channel: ref(`channels/${name}`),
        summary: `A device of a batch that is not known yet ${action === 'send' ? 'publishes' : 'subscribes to'} ${kind}.`,
        messages: [ref(`channels/${name}/messages/${message}`)],
        security: [ref('components/securitySchemes/batchCredentials')],
        bindings: { mqtt: { qos: 1, retain: false, bindingVersion: '0.2.0' } },
      },
    ]),
  );
}

function servers({ host, port, tlsPort, secure, builtIn }: BrokerAddress): Json {
  const server = (at: string, protocol: string) => ({
    host: at,
    protocol,
    protocolVersion: '3.1.1',
    security: [ref('components/securitySchemes/deviceCredentials'), ref('components/securitySchemes/batchCredentials')],
    description: builtIn ? 'The broker of the program itself: MQTT 3.1.1 (not 5).' : 'The site’s broker.',
    bindings: {
      mqtt: {
        clientId: 'lampyris-{deviceId}',
        cleanSession: true,
        keepAlive: 60,
        bindingVersion: '0.2.0',
        lastWill: { topic: `${topicPrefix}/{deviceId}/status`, qos: 1, retain: true, message: '{"online":false}' },
      },
    },
  });
  const plain = secure ? 'secure-mqtt' : 'mqtt';
  return {
    mqtt: server(`${host}:${port}`, plain),
    ...(tlsPort === null ? {} : { mqtts: server(`${host}:${tlsPort}`, 'secure-mqtt') }),
  };
}

/** A schema as plain JSON, without what the validator keeps beside it. */
const json = (schema: object): Json => JSON.parse(JSON.stringify(schema)) as Json;

function messages(): Json {
  const [lamp] = reporting.filter((family) => family.key === 'single-lamp-controller');
  const readings = json(ReadingsMessage) as { properties: { readings: { items: { properties: Json } } } };
  readings.properties.readings.items.properties['values'] = {
    description:
      'Quantities by name, in the units of the family. Leave out or send null what is not known; never 0 instead.',
    anyOf: reporting.map((family) => ref(`components/schemas/${pascal(family.key)}Values`)),
  };
  const message = (name: string, summary: string, payload: Json, ...examples: [string, Json][]) => ({
    name,
    title: capital(name),
    summary,
    contentType: 'application/json',
    payload,
    examples: examples.map(([key, value]) => ({ name: key, payload: value })),
  });
  const settings = {
    version: 3,
    serverTime: at,
    timeZone: 'Asia/Shanghai',
    latitude: 30.25,
    longitude: 120.2,
    sunOffsetMinutes: 0,
    table: defaultTable,
    reportSeconds: { lit: lamp?.report?.lit ?? 900, unlit: lamp?.report?.unlit ?? 3600 },
  };
  const ofPlan = {
    planHash: examplePlan.hash,
    capabilities: { plan: { periods: 6, calendar: true, light: false, cycle: true } },
  };
  return {
    readings: message(
      'readings',
      '1 to 500 measurements, at most 64 KiB. Each carries its own time: late ones are welcome.',
      readings,
      ...reporting.map((family): [string, Json] => [
        family.key,
        {
          sentAt: at,
          ...(family === lamp ? ofPlan : {}),
          readings: [{ at, values: family.exampleReading }],
        },
      ]),
    ),
    status: message(
      'status',
      'The link, the firmware and the settings in force.',
      json(StatusMessage),
      ['connected', { online: true, at, firmware: '1.4.2', settingsVersion: 3 }],
      ['withPlan', { online: true, at, firmware: '2.0.0', settingsVersion: 4, ...ofPlan, clockAt: at }],
      ['lastWill', { online: false }],
    ),
    ack: message(
      'ack',
      'The answer to one command.',
      json(AckMessage),
      ['executed', { commandId: '17', accepted: true, executedAt: at }],
      ['refused', { commandId: '17', accepted: false, error: 'driver fault' }],
      ['tooLate', { commandId: '17', accepted: false, error: 'expired' }],
    ),
    command: message(
      'command',
      'One command.',
      commandSchema(),
      [
        'dim',
        {
          commandId: '17',
          command: 'dim',
          args: { level: 60 },
          issuedAt: at,
          expiresAt: '2026-11-21T12:00:30.000Z',
          until: '2026-11-21T22:29:00.000Z',
          turn: 4711,
        },
      ],
      [
        'backToProgramme',
        {
          commandId: '18',
          command: 'auto',
          args: {},
          issuedAt: at,
          expiresAt: '2026-11-21T12:00:30.000Z',
          until: null,
          turn: 4712,
        },
      ],
    ),
    hello: message(
      'hello',
      `Who a device of a batch says it is; at most ${newcomerLimits.helloBytes} bytes.`,
      json(HelloMessage),
      [
        'hello',
        {
          secret: 'q8Zc1Vt0mW4rYb7Kx2Ls9Hn5Pd3Ge6Jf-uAoTiRvN_E',
          family: 'single-lamp-controller',
          model: 'LC-200',
          firmware: '1.4.2',
          longitude: 120.2103,
          latitude: 30.2507,
        },
      ],
    ),
    provision: message(
      'provision',
      'Who a claimed device is from now on. Its password is the secret of its own hello.',
      json(ProvisionMessage),
      ['claimed', { clientId: 'lampyris-1042', username: 'lampyris-1042', deviceId: '1042' }],
    ),
    settings: message(
      'settings',
      'Everything a device needs to work by itself.',
      json(SettingsMessage),
      ['lamp', settings],
      [
        'lampWithPlan',
        {
          ...settings,
          version: 4,
          latitude: 30.2507,
          longitude: 120.2103,
          plan: examplePlan,
          fallbackMinutes: 15,
          powerUpLevel: 100,
          stagger: 30,
          staggerFrom: 11,
          heartbeatSeconds: 300,
          light: { lux: 20, sensitivity: 128, delayMinutes: 5 },
        },
      ],
    ),
  };
}

/** The command's schema, with the names and arguments the families declare. */
function commandSchema(): Json {
  const schema = json(CommandMessage) as { properties: Record<string, Json> };
  const commands = new Map(
    reporting.flatMap((family) => family.commands.map((command) => [command.key, command] as const)),
  );
  schema.properties['command'] = {
    type: 'string',
    enum: [...commands.keys()],
    description: 'What to do; see the description of this document.',
  };
  const args = Object.fromEntries(
    [...commands.values()].flatMap((command) =>
      command.args.map((field) => [
        field.key,
        { ...json(schemaOfField(field)), description: `Argument of \`${command.key}\`.` },
      ]),
    ),
  );
  schema.properties['args'] = {
    type: 'object',
    properties: args,
    description: 'Arguments by name; empty for a command without any.',
  };
  return schema;
}
