import fc from 'fast-check';

/** How many values each property is tried with: 200, and 20,000 in the soak. */
const runs = Number(process.env['PROPERTY_RUNS'] ?? 200);
/** A failure prints the seed; PROPERTY_SEED tries the same values again. */
const seed = process.env['PROPERTY_SEED'];

fc.configureGlobal({ numRuns: runs, ...(seed === undefined ? {} : { seed: Number(seed) }) });

/** fast-check as all tests use it: the one place that says how much is tried. */
export default fc;
