import { itemStates, publicationPhases } from '../../../../contract/light/publications.ts';
import type { Db } from '../../platform/db/index.ts';
import { byLabel, metricsFrom, type MetricSource } from '../../platform/metrics/index.ts';
import { countOpen } from './publications.store.ts';
import type { Steps } from './steps.ts';

/** Each figure is there from the first count on, also where there is nothing to count. */
const noneOf = (labels: readonly string[]) => Object.fromEntries(labels.map((label) => [label, 0]));
/** `given`: its plan is of no publication. */
const noDevices = noneOf(['given', ...itemStates.filter((state) => state !== 'waiting' && state !== 'pending')]);
const openPhases = publicationPhases.slice(0, publicationPhases.indexOf('done'));

/** What this process did for publications, and what the database knows of those that are open. */
export const publicationMetrics = (db: Db, steps: Pick<Steps, 'counts' | 'proofs'>): readonly MetricSource[] => [
  metricsFrom(
    () => steps.counts,
    [
      {
        name: 'lampyris_publication_items_total',
        help: 'Lamps of publications, by what became of them: told, reported, proven, diverged, away.',
        type: 'counter',
        labels: ['outcome'],
        value: (counts) => byLabel('outcome', counts),
      },
    ],
  ),
  metricsFrom(
    () => steps.proofs,
    [
      {
        name: 'lampyris_plan_proof_total',
        help: 'Planned steps of published plans, by what readings showed: agreed, missed, unseen.',
        type: 'counter',
        labels: ['outcome'],
        value: ({ outcomes }) => byLabel('outcome', outcomes),
      },
      {
        name: 'lampyris_plan_devices',
        help: 'Lamps with a plan, by their state in the publication that gave it; counted every ten minutes, from the process that publishes.',
        type: 'gauge',
        labels: ['state'],
        value: ({ devices }) => devices && byLabel('state', { ...noDevices, ...devices }),
      },
    ],
  ),
  metricsFrom(
    () => countOpen(db).catch(() => undefined),
    [
      {
        name: 'lampyris_publications_open',
        help: 'Publications that are not at their end, by phase.',
        type: 'gauge',
        labels: ['phase'],
        value: (counts) => (counts ? byLabel('phase', { ...noneOf(openPhases), ...counts }) : null),
      },
    ],
  ),
];
