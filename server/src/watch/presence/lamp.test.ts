import { describe, expect, it } from 'vitest';
import type { Sample as LampSample } from '../../../../catalogue/alarms/alarm.ts';
import { defaultThresholds } from '../../light/lamps/index.ts';
import { judgeLamp, type LampInput } from './lamp.ts';
import { controllerSilentSince } from './silence.ts';

const minute = 60_000;
const now = Date.UTC(2026, 10, 21, 11, 0);
/** On for the last 60 minutes; before that it was day until 0 minutes before the on-time. */
const on = now - 60 * minute;
const plan: LampInput['plan'] = {
  shouldBeLit: (at) => at >= on && at < now + 600 * minute,
  lastOn: (at) => (at >= on ? on : null),
  isDay: (at, margin) => at < on - margin * 1000,
};
const sample = (minutesAgo: number, part: Partial<LampSample> = {}): LampSample => ({
  at: now - minutesAgo * minute,
  power: 100,
  level: 100,
  commandLevel: 100,
  relay: true,
  voltage: 226,
  ...part,
});
const dark = (minutesAgo: number, part: Partial<LampSample> = {}) =>
  sample(minutesAgo, { power: 0, level: 0, commandLevel: 0, relay: false, ...part });

function judge(samples: LampSample[], part: Partial<LampInput> = {}) {
  return judgeLamp(
    {
      now,
      enabled: true,
      ratedWatts: 100,
      lastAt: samples.at(-1)?.at ?? null,
      createdAt: now - 86_400_000,
      samples,
      manual: [],
      plan,
      period: { litSeconds: 900, unlitSeconds: 3600 },
      controllerSilentSince: null,
      ...part,
    },
    defaultThresholds,
  );
}

const sound = [dark(175), dark(115), sample(60), sample(45), sample(30), sample(15), sample(1)];

describe('a lamp is judged from its readings of the last three hours', () => {
  const cases: [
    name: string,
    samples: LampSample[],
    expected: Partial<ReturnType<typeof judge>>,
    input?: Partial<LampInput>,
  ][] = [
    ['sound and lit', sound, { state: 'on', lit: true, fault: null, online: true, shouldBeLit: true }],
    [
      'dimmed below 99 %',
      [...sound.slice(0, -1), sample(1, { level: 60, commandLevel: 60, power: 62 })],
      { state: 'dimmed', fault: null, level: 60 },
    ],
    [
      'off by a manual command is no fault',
      [dark(115), sample(60), dark(20), dark(5)],
      { state: 'off', fault: null, lit: false, shouldBeLit: false },
      { manual: [{ from: now - 21 * minute, to: now + minute, level: 0, commandId: 1, layer: 'manual' }] },
    ],
    [
      'L101: commanded on 5 minutes, relay closed, power at most 5 %',
      [dark(115), sample(60, { power: 0.5 }), sample(45, { power: 0.5 })],
      { state: 'alarm', fault: 'L101', lit: false, faultSince: on },
    ],
    [
      'L101 needs two good samples to clear',
      [sample(45, { power: 1 }), sample(30, { power: 1 }), sample(15), sample(1)],
      { fault: null },
    ],
    [
      'L101 is still there after one good sample',
      [sample(45, { power: 1 }), sample(30, { power: 1 }), sample(15)],
      { fault: 'L101' },
    ],
    ['a single dark sample proves nothing yet', [sample(15), sample(1, { power: 1 })], { fault: null }],
    [
      'L113: commanded on, relay open, supply present',
      [dark(115), dark(60, { commandLevel: 100 }), dark(45, { commandLevel: 100 })],
      { fault: 'L113' },
    ],
    [
      'no L113 without supply',
      [dark(60, { commandLevel: 100, voltage: 0 }), dark(45, { commandLevel: 100, voltage: 0 })],
      { fault: 'L111' },
    ],
    [
      'L112: commanded off and still burning',
      [sample(115, { commandLevel: 0 }), sample(100, { commandLevel: 0 })],
      { fault: 'L112', lit: true },
      { lastAt: now - 20 * minute },
    ],
    [
      'L112 stays while nothing shows the lamp dark',
      [sample(115, { commandLevel: 0 }), sample(100, { commandLevel: 0 }), sample(60), sample(45)],
      { fault: 'L112' },
    ],
    ['L111: the schedule says on, the lamp believes off', [dark(60), dark(45), dark(30)], { fault: 'L111' }],
    [
      'L110: burning by day, cleared only by going dark',
      [sample(170), sample(155), sample(140), sample(60), sample(5)],
      { fault: 'L110' },
    ],
    [
      'no L110 in the half hour before sunset',
      [sample(89), sample(70), sample(60), sample(5)],
      { fault: null, state: 'on' },
    ],
    [
      'L105: three samples above 235.4 V',
      [sample(45, { voltage: 236 }), sample(30, { voltage: 236 }), sample(15, { voltage: 236 })],
      { fault: 'L105', lit: true },
    ],
    [
      'L105 does not chatter between 231 and 235.4 V',
      [
        sample(60, { voltage: 236 }),
        sample(45, { voltage: 236 }),
        sample(30, { voltage: 236 }),
        sample(15, { voltage: 233 }),
      ],
      { fault: 'L105' },
    ],
    [
      'L105 clears below 231 V',
      [
        sample(60, { voltage: 236 }),
        sample(45, { voltage: 236 }),
        sample(30, { voltage: 236 }),
        sample(15, { voltage: 230.9 }),
      ],
      { fault: null },
    ],
    [
      'two high samples are not three',
      [sample(45), sample(30, { voltage: 236 }), sample(15, { voltage: 236 })],
      { fault: null },
    ],
    [
      'exactly 235.4 V is inside the band',
      [sample(45, { voltage: 235.4 }), sample(30, { voltage: 235.4 }), sample(15, { voltage: 235.4 })],
      { fault: null },
    ],
    [
      'L106: three samples below 198 V',
      [sample(45, { voltage: 197 }), sample(30, { voltage: 197 }), sample(15, { voltage: 197 })],
      { fault: 'L106' },
    ],
    [
      'no supply at all is no low voltage',
      [dark(45, { voltage: 0, commandLevel: 0 }), dark(30, { voltage: 0 }), dark(15, { voltage: 0 })],
      { fault: 'L111' },
    ],
    [
      'the first in the list is shown: L101 before L105',
      [
        sample(45, { power: 1, voltage: 240 }),
        sample(30, { power: 1, voltage: 240 }),
        sample(15, { power: 1, voltage: 240 }),
      ],
      { fault: 'L101' },
    ],
    [
      'a missing value says nothing',
      [sample(45, { power: null }), sample(30, { power: null }), sample(15, { power: null, voltage: null })],
      { fault: null, state: 'on' },
    ],
    [
      'N301: silent for three lit periods',
      [sample(59), sample(50)],
      { state: 'offline', fault: 'N301', online: false, lit: null, level: null, faultSince: now - 50 * minute },
    ],
    [
      'an hourly report before the on-time is not silence',
      [dark(61)],
      { fault: null, state: 'off' },
      { now: now - 30 * minute, lastAt: on - minute },
    ],
    [
      'N301 by day only after three unlit periods',
      [],
      { fault: 'N301' },
      { now: on - 10 * minute, lastAt: on - 191 * minute },
    ],
    [
      'N302 comes first',
      [sample(50)],
      { fault: 'N302', state: 'offline', faultSince: 7 },
      { controllerSilentSince: 7 },
    ],
    [
      'never reported and new: unknown',
      [],
      { state: 'unknown', fault: null, lit: null },
      { createdAt: now - minute, lastAt: null },
    ],
    [
      'heard without a reading: it keeps what it had, the worst is shown',
      [],
      {
        state: 'alarm',
        online: true,
        lit: null,
        level: null,
        fault: 'L101',
        faultSince: on,
        faults: [
          { fault: 'L101', since: on },
          { fault: 'L105', since: 5 },
        ],
      },
      {
        lastAt: now - minute,
        had: [
          { fault: 'L105', since: 5 },
          { fault: 'L101', since: on },
        ],
      },
    ],
    [
      'disabled: maintenance, no fault',
      [sample(45, { power: 1 }), sample(30, { power: 1 })],
      { state: 'maintenance', fault: null, shouldBeLit: null },
      { enabled: false },
    ],
  ];
  it.each(cases)('%s', (_name, samples, expected, input) => {
    expect(judge(samples, input)).toMatchObject(expected);
  });
});

it('a controller is silent after three heartbeats, never before five minutes', () => {
  const silent = (minutesAgo: number, heartbeatSeconds: number) =>
    controllerSilentSince(
      { now, lastAt: now - minutesAgo * minute, createdAt: 0, heartbeatSeconds },
      defaultThresholds,
    );
  expect(silent(4.9, 60)).toBeNull();
  expect(silent(5.1, 60)).toBe(now - 5.1 * minute);
  expect(silent(14, 300)).toBeNull();
  expect(silent(16, 300)).toBe(now - 16 * minute);
});
