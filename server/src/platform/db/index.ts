export { checkoutFolder } from './binaries.ts';
export { changing } from './changing.ts';
export { bigints, instants, jsons, smallints } from './column-arrays.ts';
export { copyRows, type RowsIn } from './copy-in.ts';
export { contains, countOf, countRows, createRowCounter, type Counted, type RowCounter } from './counting.ts';
export { connectInThread, forThread } from './in-thread.ts';
export { holdStatement, lockFree, lockNumbers, takeLock, takeLockOf, tryLock, whileLocked } from './locks.ts';
export { connect, createUsability, openDatabase, type Database, type Db, type Transaction } from './database.ts';
export {
  migrate,
  pendingMigrations,
  readMigrations,
  refuseOtherState,
  type DatabaseState,
  type Migration,
} from './migrate.ts';
export { prepared } from './prepared.ts';
export { currentTrial, tried, triedWithin } from './trial.ts';
