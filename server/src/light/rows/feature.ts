import type { Feature } from '../../feature.ts';
import type { Floor } from '../../floor.ts';
import { rowsRoutes } from './rows.routes.ts';
import { createRows, type WeighRows } from './rows.service.ts';
import { createRowSweep } from './sweep.ts';

export const rowsFeature = ({ db, answering, bus, clock, watch }: Floor, weigh: WeighRows): Feature => ({
  routes: rowsRoutes(createRows({ db: answering, bus, clock, weigh })),
  jobs: [
    {
      name: 'lamp rows',
      where: 'one process',
      start: () => createRowSweep({ db, bus, clock: watch.jobs.named('rows') }).start(),
    },
  ],
});
