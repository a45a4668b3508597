import { describe, expect, it } from 'vitest';
import { readCommand, readSettings } from './codec.ts';
import { clientIdOf, deviceRights, upFilters } from './topics.ts';
import { commandOut, settingsOut } from './adapter.ts';
import { examplePlan } from './asyncapi-plan.ts';
import { mqttJson } from './wire.ts';
import { mostSettingsBytes, type SettingsOut } from '../wire.ts';

const t = '2026-11-21T10:00:00.000Z';
const bytes = (text: string) => Buffer.from(text);
describe('the server’s messages', () => {
  it('tells a command in the device’s own time', () => {
    const at = Date.parse(t);
    const out = commandOut({
      commandId: 17,
      deviceId: 12,
      viaId: 7,
      command: 'dim',
      args: { level: 60 },
      issuedAt: at,
      expiresAt: at + 30_000,
      until: null,
      turn: 40,
      clockOffsetMs: 5000,
    });
    expect(out).toMatchObject({ topic: 'lampyris/v1/devices/7/children/12/commands', retain: false });
    expect(readCommand(out.payload)).toEqual({
      commandId: '17',
      command: 'dim',
      args: { level: 60 },
      issuedAt: '2026-11-21T09:59:55.000Z',
      expiresAt: '2026-11-21T10:00:25.000Z',
      until: null,
      turn: 40,
    });
    expect(readCommand(bytes('{"commandId":17}'))).toBeUndefined();
    expect(readCommand(bytes('no'))).toBeUndefined();
  });

  it('keeps settings on the broker and takes them away with an empty message', () => {
    const settings = {
      version: 3,
      serverTime: t,
      timeZone: 'Asia/Shanghai',
      latitude: 30.2,
      longitude: 120.2,
      sunOffsetMinutes: 0,
      table: [{ at: 'sunset', offsetMinutes: 0, level: 100 }],
      reportSeconds: { lit: 900, unlit: 3600 },
    };
    const out = settingsOut({ deviceId: 7, viaId: null }, settings);
    expect(out).toMatchObject({ topic: 'lampyris/v1/devices/7/settings', retain: true });
    expect(readSettings(out.payload)).toEqual(settings);
    expect(settingsOut({ deviceId: 7, viaId: null }, null)).toMatchObject({ retain: true, payload: Buffer.alloc(0) });
  });

  it('tells a plan beside the table, and without one not a byte more than ever', () => {
    const settings: SettingsOut = {
      version: 3,
      serverTime: Date.parse(t),
      timeZone: 'Asia/Shanghai',
      latitude: 30.2,
      longitude: null,
      sunOffsetMinutes: 0,
      table: [{ at: 'sunset', offsetMinutes: 0, level: 100 }],
      reportSeconds: { lit: 900, unlit: 3600 },
    };
    const text = (given: SettingsOut) => {
      const out = mqttJson.set({ deviceId: 7, viaId: null }, given);
      return 'payload' in out ? out.payload.toString() : out.unsupported;
    };
    expect(text(settings)).toBe(
      '{"version":3,"serverTime":"2026-11-21T10:00:00.000Z","timeZone":"Asia/Shanghai","latitude":30.2,"longitude":null,"sunOffsetMinutes":0,"table":[{"at":"sunset","offsetMinutes":0,"level":100}],"reportSeconds":{"lit":900,"unlit":3600}}',
    );
    const more = { plan: examplePlan, fallbackMinutes: 15, powerUpLevel: 100, stagger: 4, staggerFrom: 1 };
    expect(readSettings(bytes(text({ ...settings, ...more })))).toMatchObject(more);
  });

  it('does not send settings that are too large, and says how large any are', () => {
    const settings = (count: number): SettingsOut => ({
      version: 3,
      serverTime: Date.parse(t),
      timeZone: 'Asia/Shanghai',
      latitude: 30.2,
      longitude: 120.2,
      sunOffsetMinutes: 0,
      table: [],
      reportSeconds: { lit: 900, unlit: 3600 },
      plan: {
        ...examplePlan,
        days: Array.from({ length: count }, () => ({ from: '2027-02-05', to: '2027-02-12', programme: 2 })),
      },
    });
    const address = { deviceId: 7, viaId: null };
    const least = mqttJson.settingsBytes(settings(0));
    const perSpan = (mqttJson.settingsBytes(settings(101)) - mqttJson.settingsBytes(settings(1))) / 100;
    const fitting = Math.floor((mostSettingsBytes - least + 1) / perSpan);
    const fits = mqttJson.set(address, settings(fitting));
    expect('payload' in fits && fits.payload.byteLength).toBe(mqttJson.settingsBytes(settings(fitting)));
    expect(mqttJson.settingsBytes(settings(fitting))).toBeLessThanOrEqual(mostSettingsBytes);
    expect(mqttJson.settingsBytes(settings(fitting + 1))).toBeGreaterThan(mostSettingsBytes);
    expect(mqttJson.set(address, settings(fitting + 1))).toEqual({
      unsupported: `the settings have ${mqttJson.settingsBytes(settings(fitting + 1))} bytes, at most 16384 are sent`,
    });
  });

  it.each([
    ['a hash that is none', { hash: 'x' }],
    ['no programme', { programmes: [] }],
    ['a period at 25:00', { programmes: [{ ...examplePlan.programmes[1], periods: [{ start: '25:00', level: 1 }] }] }],
    ['101 %', { programmes: [{ ...examplePlan.programmes[1], periods: [{ start: 'on', level: 101 }] }] }],
    ['one of four', { programmes: [{ ...examplePlan.programmes[1], periods: [{ start: 'on', level: 9, oneOf: 4 }] }] }],
    ['a default that is no key', { default: 0 }],
    ['a shift of nobody', { cycle: { k: 1, n: 2, shift: 'hourly' } }],
  ])('a device refuses a plan with %s', (_, wrong) => {
    const message = {
      version: 3,
      serverTime: t,
      timeZone: 'Asia/Shanghai',
      latitude: 30.2,
      longitude: 120.2,
      sunOffsetMinutes: 0,
      table: [],
      reportSeconds: { lit: 900, unlit: 3600 },
    };
    expect(readSettings(bytes(JSON.stringify({ ...message, plan: examplePlan })))).toBeDefined();
    expect(readSettings(bytes(JSON.stringify({ ...message, plan: { ...examplePlan, ...wrong } })))).toBeUndefined();
  });

  it('names rights that never reach beyond the device’s own id', () => {
    const { publish, subscribe } = deviceRights(7);
    for (const filter of [...publish, ...subscribe]) expect(filter).toMatch(/^lampyris\/v1\/devices\/7\/[^#]+$/);
    expect(publish.map((filter) => filter.replace('/7/', '/+/')).toSorted()).toEqual(upFilters.toSorted());
    expect(clientIdOf(7)).toBe('lampyris-7');
  });
});
