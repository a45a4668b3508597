import type { Readable } from 'node:stream';
import type { Language } from '../../../../catalogue/languages.ts';
import type { Permission } from '../../../../contract/permissions.ts';
import { taskKindNames, type TaskKindName, type TaskParams } from '../../../../contract/desk/task-kinds.ts';
import type { RuleProblem, Sound } from '../../platform/http/index.ts';

/** How the work is written: the language and the days of who asked for it, and who that is. */
export interface TaskReader {
  readonly language: Language;
  readonly timezoneOffset: number;
  readonly accountId: number | null;
}

/** One kind of long work, begun with `P`; the feature that knows it hands it in. */
export interface TaskKind<P = TaskParams> {
  /** The code of the call it stands for: needed to begin it and to take its file. */
  readonly permission: Permission;
  /** What the operation log calls its beginning. */
  readonly action: string;
  /**
   * What the rules say of the form that begins it, for whom it is refused: everything at once; any field may be absent.
   */
  problems?(params: Sound<P>, reader: TaskReader): Promise<readonly RuleProblem[]> | readonly RuleProblem[];
  /** Refuses what cannot be done, before any work; returns how much there is to do. Fields are named below `params`. */
  check(params: P, reader: TaskReader): Promise<{ readonly total: number | null }>;
  /**
   * Does it: a file as a stream, or null for work that leaves none. `progress` hears how much is done; `signal` says
   * when to stop.
   */
  run(
    params: P,
    reader: TaskReader,
    progress: (done: number) => void,
    signal: AbortSignal,
  ): Promise<{ readonly name: string; readonly content: Readable } | null>;
}

export type TaskKinds = Readonly<Record<TaskKindName, TaskKind>>;

/** The kinds that features offer, each once. `all` throws while the contract names one that nobody offers. */
export function createKindBook() {
  const offered: Record<string, TaskKind> = {};
  return {
    offer(more: Partial<TaskKinds>): void {
      for (const [name, kind] of Object.entries(more)) {
        if (offered[name]) throw new Error(`two features offer the task ${name}`);
        offered[name] = kind;
      }
    },
    kinds: offered as TaskKinds,
    refuseMissing(): void {
      const missing = taskKindNames.filter((name) => !offered[name]);
      if (missing.length > 0) throw new Error(`no feature offers the task ${missing.join(', ')}`);
    },
  };
}
