import fc from '../../catalogue/testing/properties.ts';
import { describe, expect, it } from 'vitest';
import { decode, encode, refusalReasons, timeText } from './codec.ts';
import { readTopic, topicOf } from './topics.ts';
import { limits } from './messages.ts';

const t = '2026-11-21T10:00:00.000Z';
const own = (kind: 'readings' | 'status' | 'acks') => topicOf({ kind, deviceId: 7, viaId: null });
const bytes = (text: string) => Buffer.from(text);
const reasonOf = (topic: string, payload: Uint8Array) => {
  const decoded = decode(topic, payload);
  return decoded.ok ? 'accepted' : decoded.reason;
};
const readings = (body: string) => bytes(`{"sentAt":"${t}","readings":${body}}`);

describe('what a device may send', () => {
  it('reads readings, directly and through a controller', () => {
    const payload = readings(
      `[{"at":"2026-11-21T17:59:58.5+08:00","values":{"level":60,"relay":true,"leakage":null}}]`,
    );
    const message = {
      kind: 'readings',
      deviceId: 7,
      viaId: null,
      sentAt: Date.parse(t),
      readings: [
        {
          at: Date.parse('2026-11-21T09:59:58.500Z'),
          values: { level: 60, relay: true, leakage: null },
          quality: 'measured',
        },
      ],
    };
    expect(decode(own('readings'), payload)).toEqual({ ok: true, message });
    expect(decode(topicOf({ kind: 'readings', deviceId: 7, viaId: 3 }), payload)).toEqual({
      ok: true,
      message: { ...message, viaId: 3 },
    });
  });

  it('reads what a device says of its readings, and times in every form alike', () => {
    const payload = readings(
      '[{"at":"2026-11-21T09:59:58.500Z","values":{},"quality":"estimated"},{"at":"2026-11-21T17:59:58.5+08:00","values":{},"quality":"stale"},{"at":"2026-11-21T09:59:58.500123Z","values":{}}]',
    );
    expect(decode(own('readings'), payload)).toMatchObject({
      ok: true,
      message: {
        readings: ['estimated', 'stale', 'measured'].map((quality) => ({
          at: Date.parse('2026-11-21T09:59:58.500Z'),
          quality,
        })),
      },
    });
  });

  it('reads a status, a last will and both kinds of acknowledgement', () => {
    expect(
      decode(own('status'), bytes(`{"online":true,"at":"${t}","firmware":"1.2","settingsVersion":4}`)),
    ).toMatchObject({ ok: true, message: { online: true, firmware: '1.2', settingsVersion: 4 } });
    expect(decode(own('status'), bytes('{"online":false}'))).toMatchObject({
      ok: true,
      message: { online: false, at: null },
    });
    expect(decode(own('acks'), bytes(`{"commandId":"17","accepted":true,"executedAt":"${t}"}`))).toMatchObject({
      ok: true,
      message: { commandId: 17, executedAt: Date.parse(t) },
    });
    expect(decode(own('acks'), bytes(`{"commandId":"17","accepted":false,"error":"expired"}`))).toMatchObject({
      ok: true,
      message: { accepted: false, error: 'expired' },
    });
  });

  it('hears which plan a device runs and what it can, beside its status and beside its readings', () => {
    const able = { plan: { periods: 6, calendar: true, light: false, cycle: true } };
    const ofPlan = `"planHash":"9f3c21a0b7de","capabilities":{"plan":{"periods":6,"calendar":true,"light":false,"cycle":true,"yearTable":2},"more":[1]}`;
    const heard = { planHash: '9f3c21a0b7de', capabilities: able };
    expect(decode(own('status'), bytes(`{"online":true,"at":"${t}",${ofPlan},"clockAt":"${t}"}`))).toEqual({
      ok: true,
      message: {
        kind: 'status',
        deviceId: 7,
        viaId: null,
        online: true,
        at: Date.parse(t),
        firmware: null,
        settingsVersion: null,
        clockAt: Date.parse(t),
        ...heard,
      },
    });
    // Times in the server's form, and in another one: two ways through the codec.
    for (const at of [t, '2026-11-21T18:00:00+08:00'])
      expect(
        decode(
          topicOf({ kind: 'readings', deviceId: 12, viaId: 7 }),
          bytes(`{"sentAt":"${at}",${ofPlan},"readings":[{"at":"${at}","values":{"level":60}}]}`),
        ),
      ).toMatchObject({ ok: true, message: { deviceId: 12, viaId: 7, ...heard } });
    expect(decode(own('status'), bytes('{"online":true,"planHash":null,"capabilities":{}}'))).toMatchObject({
      ok: true,
      message: { planHash: null, capabilities: {} },
    });
    const silent = decode(own('readings'), readings(`[{"at":"${t}","values":{}}]`));
    expect(silent.ok && 'planHash' in silent.message).toBe(false);
  });

  it('ignores names it does not know beside the ones it does', () => {
    expect(reasonOf(own('status'), bytes('{"online":true,"battery":{"level":3}}'))).toBe('accepted');
  });
});

describe('what is refused, and why', () => {
  const value = (text: string) => readings(`[{"at":"${t}","values":{"level":${text}}}]`);
  it.each<[string, string, Uint8Array, string]>([
    ['bytes that are no text', own('readings'), Buffer.from([0xff, 0xfe, 0x00]), 'notJson'],
    ['an empty payload', own('readings'), bytes(''), 'notJson'],
    ['text that is not JSON', own('readings'), bytes('level=60'), 'notJson'],
    ['NaN', own('readings'), value('NaN'), 'notJson'],
    ['1e400', own('readings'), value('1e400'), 'schema'],
    ['-1e400', own('readings'), value('-1e400'), 'schema'],
    ['a list as value', own('readings'), value('[1]'), 'schema'],
    ['an object as value', own('readings'), value('{"a":1}'), 'schema'],
    ['a text of 101 characters', own('readings'), value(`"${'x'.repeat(101)}"`), 'schema'],
    ['a NUL in a text', own('readings'), value('"\\u0000"'), 'schema'],
    ['null', own('readings'), bytes('null'), 'schema'],
    ['a list', own('readings'), bytes('[]'), 'schema'],
    ['a number as time', own('readings'), bytes('{"sentAt":1,"readings":[]}'), 'schema'],
    ['no reading', own('readings'), readings('[]'), 'schema'],
    [
      '501 readings',
      own('readings'),
      readings(`[${Array.from({ length: 501 }, () => `{"at":"${t}","values":{}}`).join(',')}]`),
      'schema',
    ],
    ['values missing', own('readings'), readings(`[{"at":"${t}"}]`), 'schema'],
    [
      '201 values',
      own('readings'),
      readings(`[{"at":"${t}","values":{${Array.from({ length: 201 }, (_, n) => `"v${n}":1`).join(',')}}}]`),
      'schema',
    ],
    ['a month 13', own('readings'), readings('[{"at":"2026-13-01T00:00:00Z","values":{}}]'), 'schema'],
    [
      'a day that its month does not have',
      own('readings'),
      readings('[{"at":"2026-02-30T00:00:00.000Z","values":{}}]'),
      'schema',
    ],
    [
      'a quality that only the server gives',
      own('readings'),
      readings(`[{"at":"${t}","values":{},"quality":"invalid"}]`),
      'schema',
    ],
    ['a time without zone', own('readings'), readings('[{"at":"2026-11-21T10:00:00","values":{}}]'), 'schema'],
    ['deep nesting', own('readings'), bytes('['.repeat(20_000) + ']'.repeat(20_000)), 'tooDeep'],
    [
      'deep nesting in an unknown name',
      own('status'),
      bytes(`{"online":true,"x":${'['.repeat(9)}${']'.repeat(9)}}`),
      'tooDeep',
    ],
    ['a huge payload', own('readings'), Buffer.alloc(limits.payloadBytes + 1, 0x20), 'tooLarge'],
    [
      '__proto__ among the values',
      own('readings'),
      readings(`[{"at":"${t}","values":{"__proto__":1}}]`),
      'forbiddenName',
    ],
    [
      '__proto__, escaped',
      own('readings'),
      readings(`[{"at":"${t}","values":{"\\u005f\\u005fproto__":{"level":1}}}]`),
      'forbiddenName',
    ],
    ['__proto__ at the top', own('status'), bytes('{"online":true,"__proto__":{"admin":true}}'), 'forbiddenName'],
    ['constructor', own('status'), bytes('{"online":true,"constructor":{"prototype":{}}}'), 'forbiddenName'],
    ['a hash that is too short', own('status'), bytes('{"online":true,"planHash":"9f3c"}'), 'schema'],
    ['a hash that is none', own('status'), bytes(`{"online":true,"planHash":"${'z'.repeat(12)}"}`), 'schema'],
    [
      'a hash of a megabyte’s kind',
      own('readings'),
      bytes(`{"sentAt":"${t}","planHash":"${'a'.repeat(5000)}","readings":[{"at":"${t}","values":{}}]}`),
      'schema',
    ],
    ['capabilities that are a list', own('status'), bytes('{"online":true,"capabilities":[]}'), 'schema'],
    [
      'a thousand periods',
      own('status'),
      bytes('{"online":true,"capabilities":{"plan":{"periods":1000,"calendar":true,"light":true,"cycle":true}}}'),
      'schema',
    ],
    [
      'a plan that may do anything',
      own('status'),
      bytes('{"online":true,"capabilities":{"plan":{"periods":6,"calendar":"yes","light":false,"cycle":true}}}'),
      'schema',
    ],
    [
      '__proto__ among capabilities',
      own('status'),
      bytes('{"online":true,"capabilities":{"__proto__":{"plan":1}}}'),
      'forbiddenName',
    ],
    ['a clock set at no time', own('status'), bytes('{"online":true,"clockAt":"yesterday"}'), 'schema'],
    ['an acknowledgement without id', own('acks'), bytes('{"accepted":true}'), 'schema'],
    [
      'an id that is no number',
      own('acks'),
      bytes(`{"commandId":"1;DROP","accepted":true,"executedAt":"${t}"}`),
      'schema',
    ],
    ['accepted without executedAt', own('acks'), bytes('{"commandId":"1","accepted":true}'), 'schema'],
    ['a topic of the server', topicOf({ kind: 'commands', deviceId: 7, viaId: null }), bytes('{}'), 'topic'],
    ['a topic of nobody', 'lampyris/v1/devices/7/other', bytes('{}'), 'topic'],
    ['a device called 0', 'lampyris/v1/devices/0/readings', bytes('{}'), 'topic'],
    ['a status of a child', 'lampyris/v1/devices/3/children/7/status', bytes('{"online":true}'), 'topic'],
  ])('%s', (_name, topic, payload, reason) => expect(reasonOf(topic, payload)).toBe(reason));

  it('says why in one short line', () => {
    expect(decode(own('readings'), value('"x"'.repeat(2)))).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/^.{1,160}$/),
    });
    expect(decode(own('acks'), bytes('{"accepted":true}'))).toMatchObject({
      ok: false,
      detail: expect.stringContaining('commandId'),
    });
  });

  it('names every field that is wrong, as far as the line goes', () => {
    const wrong =
      '{"sentAt":"noon","readings":[{"at":"x","values":{"level":1}},{"at":"2026-11-21T12:00:00.000Z","values":3}]}';
    const decoded = decode(own('readings'), bytes(wrong));
    expect(decoded.ok ? '' : decoded.detail).toMatch(
      /^\/sentAt .*; \/readings\/0\/at .*; \/readings\/1\/values .{1,40}$/,
    );
  });
});

describe('properties', () => {
  it('never throws, whatever arrives', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(own('readings'), own('status'), own('acks'), 'x', ''),
        fc.uint8Array({ maxLength: 300 }),
        (topic, payload) => {
          const decoded = decode(topic, payload);
          expect(decoded.ok || refusalReasons.includes(decoded.reason)).toBe(true);
        },
      ),
    );
    fc.assert(
      fc.property(fc.constantFrom(own('readings'), own('status'), own('acks')), fc.json(), (topic, json) => {
        decode(topic, bytes(json));
      }),
    );
  });

  it('returns exactly the readings that were sent, with a prototype of its own', () => {
    const name = fc
      .stringMatching(/^[a-z][a-zA-Z0-9]{0,20}$/)
      .filter((key) => key !== 'constructor' && key !== 'prototype');
    const values = fc.dictionary(
      name,
      fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null)),
      { maxKeys: 20, noNullPrototype: true },
    );
    const at = fc.integer({ min: 0, max: 4e12 });
    fc.assert(
      fc.property(at, fc.array(fc.record({ at, values }), { minLength: 1, maxLength: 30 }), (sentAt, list) => {
        const decoded = decode(
          own('readings'),
          encode({
            sentAt: timeText(sentAt),
            readings: list.map((one) => ({ at: timeText(one.at), values: one.values })),
          }),
        );
        const sent = list.map((one) => ({
          at: one.at,
          values: JSON.parse(JSON.stringify(one.values)) as unknown,
          quality: 'measured',
        }));
        expect(decoded).toEqual({
          ok: true,
          message: { kind: 'readings', deviceId: 7, viaId: null, sentAt, readings: sent },
        });
      }),
    );
  });

  it('spells a topic so that it reads back the same', () => {
    const id = fc.integer({ min: 1, max: 10 ** 14 });
    fc.assert(
      fc.property(
        fc.constantFrom('readings' as const, 'acks' as const, 'commands' as const, 'settings' as const),
        id,
        fc.option(id),
        (kind, deviceId, viaId) => {
          expect(readTopic(topicOf({ kind, deviceId, viaId }))).toEqual({ kind, deviceId, viaId });
        },
      ),
    );
  });
});
