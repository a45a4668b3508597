import { expect, it } from 'vitest';
import { commandOut, settingsOut } from './adapter.ts';
import { decode } from './codec.ts';
import { ackOut, deviceFilters, hear, lastWill, readingsOut, statusOut } from './device.ts';
import { limits } from './messages.ts';

const at = Date.parse('2026-11-21T10:00:00.000Z');
const child = { deviceId: 12, viaId: 7 };
const read = (out: { topic: string; payload: Buffer }) => {
  const decoded = decode(out.topic, out.payload);
  if (!decoded.ok) throw new Error(`${decoded.reason}: ${decoded.detail}`);
  return decoded.message;
};

it('says what the server’s codec understands', () => {
  expect(read(statusOut(7, at, 'sim', 3))).toMatchObject({
    kind: 'status',
    deviceId: 7,
    online: true,
    at,
    settingsVersion: 3,
  });
  expect(read(lastWill(7))).toMatchObject({ online: false, at: null });
  expect(read(ackOut(child, '17', { executedAt: at }))).toMatchObject({
    kind: 'ack',
    deviceId: 12,
    viaId: 7,
    commandId: 17,
    accepted: true,
    executedAt: at,
  });
  expect(read(ackOut(child, '17', { error: 'expired' }))).toMatchObject({ accepted: false, error: 'expired' });
});

it('splits readings so that no message breaks a limit, and loses none', () => {
  const readings = Array.from({ length: 1300 }, (_, i) => ({
    at: at + i * 1000,
    values: { level: i % 101, relay: true, voltage: 226.5, power: i / 10 },
  }));
  const messages = readingsOut(child, at, readings);
  expect(messages.length).toBeGreaterThan(2);
  for (const message of messages) expect(message.payload.length).toBeLessThanOrEqual(limits.payloadBytes);
  const heard = messages.map(read).flatMap((message) => (message.kind === 'readings' ? message.readings : []));
  expect(heard).toEqual(readings.map((reading) => ({ ...reading, quality: 'measured' })));
  expect(readingsOut(child, at, [])).toEqual([]);
});

it('hears commands and settings, its own and its children’s, and nothing else', () => {
  const command = commandOut({
    commandId: 17,
    ...child,
    command: 'dim',
    args: { level: 60 },
    issuedAt: at,
    expiresAt: at + 30_000,
    until: null,
    turn: 40,
    clockOffsetMs: 0,
  });
  expect(hear(command.topic, command.payload)).toMatchObject({
    kind: 'command',
    address: child,
    command: { commandId: '17', args: { level: 60 } },
  });
  const settings = settingsOut(
    { deviceId: 7, viaId: null },
    {
      version: 3,
      serverTime: new Date(at).toISOString(),
      timeZone: 'Asia/Shanghai',
      latitude: 30.2,
      longitude: 120.2,
      sunOffsetMinutes: 0,
      table: [{ at: 'sunset', offsetMinutes: 0, level: 100 }],
      reportSeconds: { lit: 900, unlit: 3600 },
    },
  );
  expect(hear(settings.topic, settings.payload)).toMatchObject({ kind: 'settings', settings: { version: 3 } });
  expect(hear(settings.topic, Buffer.alloc(0))).toBeUndefined();
  expect(hear(lastWill(7).topic, lastWill(7).payload)).toBeUndefined();
  expect(hear('x', Buffer.from('{}'))).toBeUndefined();
});

it('subscribes below its own id only', () => {
  expect(deviceFilters(7, false)).toEqual(['lampyris/v1/devices/7/commands', 'lampyris/v1/devices/7/settings']);
  expect(deviceFilters(7, true)).toHaveLength(4);
});
