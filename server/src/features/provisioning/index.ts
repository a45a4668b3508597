export { createBatchAccess } from './batch-access.ts';
export { createBatches } from './batches.ts';
export { createInbox } from './inbox.ts';
export { createJournal, type Journal } from './journal.ts';
export { createNewcomers, type Newcomers } from './newcomers.ts';
export { provisioningRoutes } from './provisioning.routes.ts';
