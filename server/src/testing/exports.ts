import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll } from 'vitest';
import { createTasks, startTaskRunner, tasksRoutes, type TaskKinds } from '../desk/tasks/index.ts';
import { openFiles } from '../platform/files/index.ts';
import type { CallOptions, TestApp, TestParts } from './app.ts';

interface Begun {
  readonly id: number;
  readonly state: string;
}

/** The calls of tasks of these kinds, and what an export of them comes to. */
export function testExports(kindsOf: (parts: TestParts) => Partial<TaskKinds>) {
  const folder = mkdtempSync(join(tmpdir(), 'lampyris-exports-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const files = openFiles(folder);
  let kinds = {} as TaskKinds;
  return {
    routes(parts: TestParts) {
      kinds = kindsOf(parts) as TaskKinds;
      return tasksRoutes(createTasks({ ...parts, files, kinds }));
    },

    /** Begins an export by its call and takes the file when it is there; a refusal is returned as it came. */
    async file({ db, database, bus, clock, log, call }: TestApp, path: string, options: CallOptions) {
      const begun = await call<Begun>(path, options);
      if (begun.status !== 201) return begun;
      const stop = startTaskRunner({ db, connection: database.connection, bus, clock, files, log, kinds });
      const task = `/api/v1/tasks/${begun.body.id}`;
      const state = async () => (await call<Begun>(task)).body.state;
      while (['queued', 'running'].includes(await state())) await wait(20);
      await stop();
      return call(`${task}/file`);
    },
  };
}
