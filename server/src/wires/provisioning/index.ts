export { createBatchAccess } from './batch-access.ts';
export { createBatches } from './batches.ts';
export { findOpen as findOpenBatches } from './batches.store.ts';
export { createInbox } from './inbox.ts';
export { createJournal } from './journal.ts';
export { createNewcomers } from './newcomers.ts';
export { createPending } from './pending.ts';
export { provisioningRoutes } from './provisioning.routes.ts';
