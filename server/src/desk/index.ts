import type { Feature } from '../feature.ts';
import type { Floor } from '../floor.ts';
import { createLoginLog, createOperationLog } from './operation-log/index.ts';
import { tasksFeature } from './tasks/feature.ts';

export type Desk = ReturnType<typeof createDesk>;

/** What every other wing works with: long work, and the logs of what was done. */
export function createDesk(floor: Floor) {
  const { answering: db, clock, rates, running } = floor;
  const operations = createOperationLog({ db, clock });
  running.add('refused calls of nobody', () => operations.writeCounted('all'));
  const { tasks, book, feature } = tasksFeature(floor);
  const features: Feature[] = [feature];
  return { operations, loginLog: createLoginLog({ db, clock, rates }), tasks, book, features };
}
