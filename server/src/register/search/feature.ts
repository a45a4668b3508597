import type { Feature } from '../../feature.ts';
import type { Floor } from '../../floor.ts';
import { startFillingSearchWords } from './fill-words.ts';
import { searchRoutes } from './search.routes.ts';
import { createSearch } from './search.service.ts';

export const searchFeature = ({ answering, db, watch, log }: Floor): Feature => ({
  routes: searchRoutes(createSearch({ db: answering })),
  jobs: [
    {
      name: 'search words',
      where: 'one process',
      start: () => startFillingSearchWords({ db, clock: watch.jobs.named('search'), log }),
    },
  ],
});
