import { describe, expect, test } from 'vitest';
import type { ProcessFigures } from './facts.ts';
import { judge } from './judge.ts';
import { healthThresholds } from './thresholds.ts';
import { healthOffice } from './testing/health.ts';

const { clock, good } = await healthOffice();

describe('what is judged', () => {
  const quiet = {
    processes: [],
    connections: { used: 1, allowed: 100 },
    oldestTransaction: { seconds: 0, who: '' },
    commands: [],
    oldestQueuedSeconds: null,
    tasks: [],
    unsealedSeconds: null,
    rollup: { due: 0, behindSeconds: 30 },
  };
  const none = { count: 0, devices: [] };
  const named = (...names: string[]) => ({
    count: names.length,
    devices: names.map((name, index) => ({ id: index + 1, family: 'gateway', name })),
  });
  const troubled = {
    deviceSharesId: none,
    reconnectStorm: none,
    messagesTooLarge: none,
    devicesSlowed: none,
    clocksWrong: none,
  };
  const slow = {
    troubled,
    holidaysUnknown: [],
    sizes: [],
    hasSpoken: true,
    darkeningUnbounded: false,
    answers: { sent: 0, unanswered: 0 },
  };
  const found = (change: Partial<ProcessFigures>, system = {}, more = {}) =>
    judge({
      system: {
        ...quiet,
        processes: [
          {
            id: 'a',
            name: 'a',
            pid: 1,
            version: '1',
            startedAt: new Date(clock.now().getTime() - 86_400_000),
            seenAt: clock.now(),
            silentSeconds: 0,
            figures: { ...good(), ...change },
          },
        ],
        ...system,
      },
      slow: { ...slow, ...more },
      thresholds: healthThresholds,
    }).flatMap(({ findings }) => findings.map(({ code, state }) => `${code} ${state}`));
  const now = () => clock.now().getTime();
  const job = (change: object) => ({
    jobs: [
      {
        name: 'seals',
        everyMs: 10_000,
        runs: 1,
        failures: 0,
        lastAt: now(),
        lastMs: 1,
        nextAt: now() + 10_000,
        error: null,
        runningSince: null,
        ...change,
      },
    ],
  });
  const disk = (freeBytes: number, totalBytes: number) => ({
    storage: [{ place: 'data' as const, freeBytes, totalBytes }],
  });

  test.each<[string, () => string[], string[]]>([
    ['nothing', () => found({}), []],
    ['a slow database', () => found({ databaseMs: 300 }), ['databaseSlow degraded']],
    [
      'a database that hardly answers',
      () => found({ databaseMs: 2500, databaseWaiting: 25 }),
      ['databaseSlow failing', 'databaseWaiting degraded'],
    ],
    [
      'connections nearly used up',
      () => found({}, { connections: { used: 96, allowed: 100 } }),
      ['connectionsHigh failing'],
    ],
    [
      'a transaction open for an hour',
      () => found({}, { oldestTransaction: { seconds: 3600, who: 'psql' } }),
      ['longTransaction degraded'],
    ],
    ['a large disk with little share but much room', () => found(disk(8e10, 1e12)), []],
    ['a large disk nearly full', () => found(disk(1.5e9, 1e12)), ['diskLow failing']],
    ['a small disk with little room but much share', () => found(disk(1.5e9, 4e9)), []],
    ['a disk with both low', () => found(disk(1.5e9, 1.8e10)), ['diskLow degraded']],
    ['hardly any room', () => found(disk(1e8, 2e8)), ['diskLow failing']],
    ['late commits', () => found({ ingest: { ...good().ingest, longestCommitMs: 20_000 } }), ['ingestionLate failing']],
    [
      'a tenth refused',
      () => found({ perMinute: { ...good().perMinute, refused: { notJson: 10 } } }),
      ['messagesRefused degraded'],
    ],
    [
      'a refused one of few',
      () => found({ perMinute: { ...good().perMinute, messages: 3, refused: { notJson: 3 } } }),
      [],
    ],
    [
      'a mistake of the program',
      () => found({ perMinute: { ...good().perMinute, refused: { internal: 1 } } }),
      ['mistakes degraded'],
    ],
    [
      'devices that make trouble, by name',
      () => found({}, {}, { troubled: { ...troubled, deviceSharesId: named('A', 'B'), devicesSlowed: named('C') } }),
      ['deviceSharesId degraded', 'devicesSlowed degraded'],
    ],
    [
      'wrong clocks, by name',
      () => found({}, {}, { troubled: { ...troubled, clocksWrong: named('A', 'B', 'C') } }),
      ['clocksWrong degraded'],
    ],
    [
      'silence of three hours',
      () => found({ ingest: { ...good().ingest, lastMessageAt: now() - 10_800_000 } }),
      ['nothingComes degraded'],
    ],
    [
      'silence where nobody ever spoke',
      () => found({ ingest: { ...good().ingest, lastMessageAt: null } }, {}, { hasSpoken: false }),
      [],
    ],
    [
      'hours that are not counted',
      () => found({}, { rollup: { due: 60_000, behindSeconds: 7200 } }),
      ['rollupsBehind degraded', 'rollupsDue degraded'],
    ],
    ['a history that was never counted', () => found({}, { rollup: { due: 0, behindSeconds: null } }), []],
    [
      'lamps that one person alone may darken',
      () => found({}, {}, { darkeningUnbounded: true }),
      ['darkeningUnbounded degraded'],
    ],
    [
      'holidays that nobody knows, by country',
      () =>
        found(
          {},
          {},
          {
            holidaysUnknown: [
              { country: 'CN', year: 2027 },
              { country: 'KR', year: 2027 },
            ],
          },
        ),
      ['holidaysUnknown degraded', 'holidaysUnknown degraded'],
    ],
    [
      'commands unanswered',
      () => found({}, {}, { answers: { sent: 100, unanswered: 70 } }),
      ['commandsUnanswered failing'],
    ],
    ['slow readers', () => found({ perMinute: { ...good().perMinute, dropped: 5 } }), ['readersSlow degraded']],
    ['a job that failed', () => found(job({ error: 'no' })), ['jobFailed degraded']],
    ['a job that is late', () => found(job({ nextAt: now() - 70_000 })), ['jobLate degraded']],
    ['a job that hangs', () => found(job({ runningSince: now() - 300_000 })), ['jobLate failing']],
    [
      'a task that waits',
      () => found({}, { tasks: [{ state: 'queued', count: 2, oldestSeconds: 1000 }] }),
      ['tasksWaiting degraded'],
    ],
    ['seals that are late', () => found({}, { unsealedSeconds: 200 }), ['sealsLate degraded']],
    ['a process that stood still', () => found({ eventLoopMs: 6000 }), ['loopSlow failing']],
    ['memory nearly used up', () => found({ memoryBytes: 7.5e9 }), ['memoryHigh failing']],
    [
      'a certificate that ends',
      () => found({ certificateEndsAt: now() + 20 * 86_400_000 }),
      ['certificateEnds degraded'],
    ],
    ['a certificate that has ended', () => found({ certificateEndsAt: now() - 1000 }), ['certificateEnded failing']],
  ])('%s', (_what, of, expected) => {
    expect(of()).toEqual(expected);
  });
});
