import fc from 'fast-check';

/** Runs of each property: 200 (in the soak 20,000). */
const runs = Number(process.env['PROPERTY_RUNS'] ?? 200);
/** A failure prints its seed; PROPERTY_SEED repeats the run. */
const seed = process.env['PROPERTY_SEED'];

fc.configureGlobal({ numRuns: runs, ...(seed === undefined ? {} : { seed: Number(seed) }) });

/** fast-check for all tests; this file alone sets how much is tried. */
export default fc;
