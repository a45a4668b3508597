import type { Feature } from '../../feature.ts';
import type { Floor } from '../../floor.ts';
import { logExportTasks } from './export-tasks.ts';
import { logsRoutes } from './logs.routes.ts';
import { createLogs } from './logs.service.ts';

export const logsFeature = ({ db, answering, clock, sheets }: Floor): Feature => ({
  routes: logsRoutes(createLogs({ db: answering, clock, sheets })),
  tasks: logExportTasks(createLogs({ db, clock, sheets })),
});
