import type { VitestRun } from './vitest.ts';

/** A part of the suite: a configuration, or a project of one. */
export type Part = Pick<VitestRun, 'config' | 'more'>;

const config = 'e2e/vitest.config.ts';

export const unitTests: Part = { config: 'vitest.config.ts' };
/** Journeys that work: each takes a core. */
export const journeys: Part = { config, more: ['--project', 'journeys'] };
/** Journeys that mostly wait: they run beside the other tests. */
export const journeysBeside: Part = { config, more: ['--project', 'journeys beside'] };
