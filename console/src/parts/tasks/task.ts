import type { Static } from 'typebox';
import type { Task as TaskSchema } from '../../../../contract/desk/tasks.ts';

export type Task = Static<typeof TaskSchema>;

export const isOpen = ({ state }: Pick<Task, 'state'>): boolean => state === 'queued' || state === 'running';

/** Whether it can be begun again from a list: an import goes on from its own page. */
export const isRepeatable = ({ kind, state }: Pick<Task, 'kind' | 'state'>): boolean =>
  kind.startsWith('export.') && (state === 'failed' || state === 'cancelled');

/** The file, while it is still there. */
export const fileOf = ({ file }: Pick<Task, 'file'>, now: number): Task['file'] =>
  file !== null && Date.parse(file.until) > now ? file : null;
