import type { TaskKinds } from './desk/tasks/index.ts';
import type { Binding } from './platform/http/index.ts';
import type { AsyncStop } from './platform/leases/index.ts';
import type { Hint } from './platform/live/index.ts';
import type { MetricSource } from './platform/metrics/index.ts';

/** Work beside the requests, by the clock or by what the bus announces. */
export interface Job {
  readonly name: string;
  /** `one process`: under a lease of this name, so that one of several server processes does it at a time. */
  readonly where: 'one process' | 'every process';
  /** Begins it; returns how to stop. */
  readonly start: () => AsyncStop | Promise<AsyncStop>;
}

/**
 * What a feature brings to the program. A wing lists its features, the composition root binds their sum (decision
 * record 41).
 */
export interface Feature {
  /** The calls it answers. */
  readonly routes?: readonly Binding[];
  /** In the order of their start; stopped in the reverse order. */
  readonly jobs?: readonly Job[];
  /** Kinds of long work. */
  readonly tasks?: Partial<TaskKinds>;
  /** Topics of the live line that say "fetch again". */
  readonly hints?: readonly Hint[];
  /** Metrics of /metrics that are taken from what it counts. */
  readonly metrics?: readonly MetricSource[];
}
