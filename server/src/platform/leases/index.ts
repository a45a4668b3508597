export { claimForLife, Claimed } from './claim.ts';
export { createLeases, type AsyncStop, type Held, type Leases } from './leases.ts';
export { LeaseLost } from './lost.ts';
export { processName } from './process-name.ts';
