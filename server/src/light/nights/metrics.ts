import { nightOutcomes } from '../../../../catalogue/lighting/nights.ts';
import type { Db } from '../../platform/db/index.ts';
import { byLabel, metricsFrom, type MetricSource, type Values } from '../../platform/metrics/index.ts';
import { findLastRehearsal, findLastReport } from './metrics.store.ts';
import type { NightSteps } from './steps.ts';

const seconds = (at: Date | undefined): number | null => (at ? at.getTime() / 1000 : null);

/** How long this process worked for nights, and what the database knows of the last rehearsal and the last report. */
export const nightMetrics = (db: Db, steps: Pick<NightSteps, 'workSeconds'>): readonly MetricSource[] => [
  metricsFrom(
    () => steps.workSeconds,
    [
      {
        name: 'lampyris_night_work_seconds_total',
        help: 'Time that this process worked on rehearsals and morning reports of nights, by part.',
        type: 'counter',
        labels: ['part'],
        value: (worked) => byLabel('part', { ...worked }),
      },
    ],
  ),
  metricsFrom(async () => {
    // One after the other: what is asked for numbers takes one connection.
    const rehearsal = await findLastRehearsal(db).catch(() => undefined);
    return { rehearsal, report: await findLastReport(db).catch(() => undefined) };
  }, [
    {
      name: 'lampyris_night_last_timestamp_seconds',
      help: 'When the last rehearsal had its list, and the last morning report was counted, by part.',
      type: 'gauge',
      labels: ['part'],
      value: ({ rehearsal, report }): Values =>
        Object.entries({ rehearsal, report }).flatMap(([part, last]) => {
          const at = seconds(last?.at);
          return at === null ? [] : [[at, { part }] as const];
        }),
    },
    {
      name: 'lampyris_night_rehearsal_lamps',
      help: 'Lamps of the last rehearsal: lit, those to be lit; unasked, without power before dusk; dark, unlikely to light.',
      type: 'gauge',
      labels: ['kind'],
      value: ({ rehearsal }) =>
        rehearsal ? byLabel('kind', { lit: rehearsal.lit, unasked: rehearsal.unasked, dark: rehearsal.dark }) : null,
    },
    {
      name: 'lampyris_night_report_lamps',
      help: 'Lamps of the last morning report by outcome: ran, diverged, away, silent, plannedDark, notJudged.',
      type: 'gauge',
      labels: ['outcome'],
      value: ({ report }) =>
        report
          ? byLabel('outcome', Object.fromEntries(nightOutcomes.map((key) => [key, report.counts[key] ?? 0])))
          : null,
    },
  ]),
];
