import { afterEach, beforeEach, expect, test } from 'vitest';
import { defaultTable } from '../../catalogue/lighting/plan/table.ts';
import { examplePlan } from '../../protocols/mqtt-json/asyncapi-plan.ts';
import { decode, type Decoded } from '../../protocols/mqtt-json/codec.ts';
import type { Said } from '../../protocols/wire.ts';
import { firstMemory, Lamp } from '../lamp/lamp.ts';
import { lampSpec, withFault, type LampSettings } from '../lamp/spec.ts';
import { createAgenda, type Agenda } from './agenda.ts';
import { lampBacklog } from './backlog.ts';
import { LampPlayer, type Line } from './lamp-player.ts';

const day = 24 * 3_600_000;
const began = Date.parse('2026-11-30T12:00:00+08:00');
const factory: LampSettings = {
  version: 0,
  place: { latitude: 30.2, longitude: 120.2, timeZone: 'Asia/Shanghai', sunOffsetMinutes: 0 },
  table: defaultTable,
  litSeconds: 900,
  unlitSeconds: 3600,
};
const settings = (level: number) => ({
  version: 7,
  serverTime: new Date(began).toISOString(),
  timeZone: 'Asia/Shanghai',
  latitude: 30.2,
  longitude: 120.2,
  sunOffsetMinutes: 0,
  table: [
    { at: 'sunset', offsetMinutes: 0, level },
    { at: 'sunrise', offsetMinutes: 0, level: 0 },
  ],
  reportSeconds: { lit: 900, unlit: 3600 },
});

let now = began;
let agenda: Agenda;
beforeEach(() => {
  agenda = createAgenda(() => now);
});
afterEach(() => agenda.stop());

const noLine: Line = {
  connected: false,
  publish: () => Promise.resolve(),
  announce: () => undefined,
  keepAlive: () => undefined,
};

function player(held: boolean, line = noLine): LampPlayer {
  const spec = lampSpec({
    citySeed: 1,
    code: 'P-1',
    ratedWatts: 100,
    curve: 'led',
    fault: null,
    linkKind: 'plc',
    loopTapVolts: 0,
    loopDropVolts: 3,
    reach: 0.5,
    ownClock: true,
  });
  return new LampPlayer({
    address: { deviceId: 1, viaId: null },
    code: 'P-1',
    lamp: new Lamp(spec, factory, firstMemory(spec, began - day)),
    agenda,
    line,
    random: () => 0.5,
    now: () => now,
    silentSince: null,
    held,
  });
}
const energy = (values: Readonly<Record<string, unknown>> | undefined): number => Number(values?.['energy']);
const firstOwn = (lamp: LampPlayer): number => {
  lamp.report();
  return energy(lamp.lamp.reading().values);
};

test.each([0, 40])(
  'what it counts goes on from what was told of earlier, also when its settings (%i %) came in between',
  (level) => {
    const lamp = player(true);
    const told = lampBacklog(lamp, began).at(-1);
    now = began + 5000;
    lamp.adopt(settings(level));
    expect(firstOwn(lamp)).toBeCloseTo(energy(told?.values), 1);
    expect(lampBacklog(lamp, began).at(-1)).toEqual(told);
  },
);

test('settings that come before anything was told are those it ran by', () => {
  const dark = player(true);
  dark.adopt(settings(0));
  const told = lampBacklog(dark, began);
  expect(energy(told.at(-1)?.values)).toBe(energy(told[0]?.values));
  expect(firstOwn(dark)).toBe(energy(told[0]?.values));
});

test('a lamp behind a controller says in its readings which plan it runs, and once what it can', async () => {
  now = began;
  const spec = lampSpec({
    citySeed: 1,
    code: 'P-2',
    ratedWatts: 100,
    curve: 'led',
    fault: null,
    linkKind: 'plc',
    loopTapVolts: 0,
    loopDropVolts: 3,
    reach: 0.5,
    ownClock: false,
  });
  const heard: Said[] = [];
  const lamp = new LampPlayer({
    address: { deviceId: 2, viaId: 9 },
    code: 'P-2',
    lamp: new Lamp(spec, factory, firstMemory(spec, began - day)),
    agenda,
    line: {
      connected: true,
      publish: ({ topic, payload }) => {
        const { message } = expectOk(decode(topic, payload));
        heard.push(message);
        return Promise.resolve();
      },
      announce: () => undefined,
      keepAlive: () => undefined,
    },
    random: () => 0.5,
    now: () => now,
    silentSince: null,
    held: false,
  });
  lamp.connected();
  lamp.adopt({ ...settings(60), plan: examplePlan });
  lamp.report();
  const capabilities = { plan: { periods: 6, calendar: true, light: false, cycle: true } };
  expect(heard).toMatchObject([{ planHash: examplePlan.hash, capabilities }, { planHash: examplePlan.hash }]);
  expect(heard[1]).not.toHaveProperty('capabilities');
  lamp.connected();
  lamp.report();
  expect(heard.at(-1)).toMatchObject({ planHash: examplePlan.hash, capabilities });
});

test('a lamp whose power returns shines as it was told to, says why, and follows its plan when it knows the time', async () => {
  now = began;
  const heard: Said[] = [];
  const keepAlives: number[] = [];
  const lamp = player(false, {
    connected: true,
    publish: ({ topic, payload }) => {
      heard.push(expectOk(decode(topic, payload)).message);
      return Promise.resolve();
    },
    announce: () => undefined,
    keepAlive: (seconds) => void keepAlives.push(seconds),
  });
  const readings = () =>
    heard.flatMap((said) =>
      said.kind === 'readings' ? said.readings.map(({ values }) => [values['reason'], values['level']]) : [],
    );
  lamp.adopt({ ...settings(60), powerUpLevel: 40, heartbeatSeconds: 120 });
  expect(keepAlives).toEqual([120]);
  expect(readings()).toEqual([['programme', 0]]);
  const pass = (ms: number): void => {
    now += ms;
    // The timer was set by the clock of before.
    agenda.at(0, () => undefined);
  };
  lamp.behave('unpowered');
  pass(1000);
  lamp.report();
  expect(readings()).toHaveLength(1);
  lamp.behave('normal');
  pass(500);
  await expect.poll(readings, { timeout: 8_000 }).toEqual([
    ['programme', 0],
    ['powerUp', 40],
  ]);
  pass(45_000);
  await expect.poll(() => lamp.lamp.commandLevel, { timeout: 8_000 }).toBe(0);
  pass(1000);
  await expect.poll(() => readings().at(-1), { timeout: 8_000 }).toEqual(['programme', 0]);
});

test('without power it stays dark when its fault changes, and comes back as the new one', () => {
  now = began;
  const one = player(false);
  one.adopt(settings(60));
  now = Date.parse('2026-11-30T22:00:00+08:00');
  one.report();
  expect(one.lamp.lit).toBe(true);
  one.behave('unpowered');
  // It burns by day too: with power it would be lit whatever its programme says.
  one.become(one.lamp.as(withFault(one.lamp.spec, 'L112')));
  expect([one.lamp.relay, one.lamp.level]).toEqual([false, 0]);
  one.report();
  expect(one.watts).toBe(0);
  one.behave('normal');
  expect(one.lamp.lit).toBe(true);
});

function expectOk(decoded: Decoded): Extract<Decoded, { ok: true }> {
  if (!decoded.ok) throw new Error(decoded.detail);
  return decoded;
}
