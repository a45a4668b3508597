import { Parser } from '@asyncapi/parser';
import { beforeAll, describe, expect, it } from 'vitest';
import { familyOf, validateReading } from '../../catalogue/index.ts';
import { rotations, sunAnchors } from '../../catalogue/lighting/plan/programme.ts';
import { asyncApiDocument } from './asyncapi.ts';
import { examplePlan } from './asyncapi-plan.ts';
import { SettingsMessage } from './messages.ts';
import { decodeNewcomer, newcomerRights, readNewcomerTopic, readProvision } from './newcomers.ts';
import { decode, readCommand, readSettings, refusalReasons } from './codec.ts';
import { deviceRights, readTopic } from './topics.ts';

interface Document {
  info: { description: string };
  channels: Record<string, { address: string; messages: Record<string, { $ref: string }> }>;
  operations: Record<string, { action: string; channel: { $ref: string } }>;
  components: {
    messages: Record<
      string,
      {
        examples: { name: string; payload: Record<string, unknown> }[];
        payload: { properties: Record<string, { enum?: string[] }> };
      }
    >;
  };
  servers: Record<string, { host: string; protocol: string }>;
}
let document: Document;
beforeAll(() => {
  document = JSON.parse(
    JSON.stringify(
      asyncApiDocument('1.0.0', { host: '127.0.0.1', port: 1884, tlsPort: 8883, secure: false, builtIn: true }),
    ),
  ) as Document;
});
const fill = (address: string) =>
  address.replace('{deviceId}', '7').replace('{childId}', '12').replace('{batchId}', '3').replace('{serial}', 'SN-1');

describe('the AsyncAPI document', () => {
  it('is valid AsyncAPI 3', async () => {
    const { document: parsed, diagnostics } = await new Parser().parse(JSON.stringify(document));
    expect(diagnostics.filter((one) => one.severity === 0)).toEqual([]);
    expect(parsed?.version()).toBe('3.0.0');
  });

  it('names servers, and addresses that a device has the right to use', () => {
    expect(document.servers).toMatchObject({
      mqtt: { host: '127.0.0.1:1884', protocol: 'mqtt' },
      mqtts: { host: '127.0.0.1:8883', protocol: 'secure-mqtt' },
    });
    const { publish, subscribe } = deviceRights(7);
    const newcomer = newcomerRights(3, 'SN-1');
    for (const { action, channel } of Object.values(document.operations)) {
      const { address } = document.channels[channel.$ref.replace('#/channels/', '')] ?? { address: '' };
      expect(readTopic(fill(address)) ?? readNewcomerTopic(fill(address)), address).toBeDefined();
      expect(action === 'send' ? [...publish, ...newcomer.publish] : [...subscribe, ...newcomer.subscribe]).toContain(
        fill(address.replace('{childId}', '+')),
      );
    }
    expect(Object.keys(document.operations)).toHaveLength(
      publish.length + subscribe.length + newcomer.publish.length + newcomer.subscribe.length,
    );
  });

  it('says of every refusal what it means', () => {
    expect(refusalReasons.filter((reason) => !document.info.description.includes(`- \`${reason}\`: `))).toEqual([]);
  });

  it('says of plans everything that a device needs: every member, capability and reason', () => {
    const { description } = document.info;
    const inText = (word: string) => description.includes(`\`${word}\``);
    const lamp = familyOf('single-lamp-controller');
    const reason = lamp?.quantity.get('reason');
    expect(reason?.kind === 'enum' && reason.options.filter((option) => !inText(option))).toEqual([]);
    const { plan } = SettingsMessage.properties;
    const words = [
      ...Object.keys(plan.properties).filter((name) => !['scheme', 'version', 'programmes', 'from'].includes(name)),
      ...Object.keys(plan.properties.cycle.properties).filter((name) => !['k', 'n', 'shift'].includes(name)),
      ...sunAnchors,
      ...rotations,
      ...['oneOf', 'ramp', 'minimumMinutes', 'notBefore', 'notAfter', 'light', 'plan.from', 'planHash', 'readPlan'],
      ...['fallbackMinutes', 'powerUpLevel', 'stagger', 'staggerFrom', 'middle'],
    ];
    expect(words.filter((word) => !inText(word))).toEqual([]);
    expect(document.components.messages['command']?.payload.properties['command']?.enum).toContain('readPlan');
  });

  it('has examples that the program itself reads', () => {
    const payloads = (name: string) =>
      (document.components.messages[name]?.examples ?? []).map((example) =>
        Buffer.from(JSON.stringify(example.payload)),
      );
    for (const [channel, message] of [
      ['readings', 'readings'],
      ['status', 'status'],
      ['acks', 'ack'],
      ['childReadings', 'readings'],
    ] as const) {
      expect(payloads(message).length).toBeGreaterThan(0);
      for (const payload of payloads(message))
        expect(decode(fill(document.channels[channel]?.address ?? ''), payload)).toMatchObject({ ok: true });
    }
    for (const payload of payloads('hello'))
      expect(decodeNewcomer({ batchId: 3, serial: 'SN-1', kind: 'hello' }, payload)).toMatchObject({ ok: true });
    for (const payload of payloads('provision')) expect(readProvision(payload)).toBeDefined();
    for (const payload of payloads('command')) expect(readCommand(payload)).toBeDefined();
    expect(payloads('settings').map((payload) => readSettings(payload)?.plan?.hash)).toEqual([
      undefined,
      examplePlan.hash,
    ]);
    for (const { name, payload } of document.components.messages['readings']?.examples ?? []) {
      const [first] = payload['readings'] as { values: unknown }[];
      const family = familyOf(name);
      expect(family && validateReading(family, first?.values)).toMatchObject({ rejected: [], unknown: 0 });
    }
  });
});
