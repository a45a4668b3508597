import type { Feature } from '../../feature.ts';
import type { Floor } from '../../floor.ts';
import { startLogSeals } from './log-seals.ts';

export const logSealsFeature = ({ db, watch, log }: Floor): Feature => ({
  jobs: [
    {
      name: 'log seals',
      where: 'every process',
      start: () => startLogSeals({ db, clock: watch.jobs.named('seals'), log }),
    },
  ],
});
