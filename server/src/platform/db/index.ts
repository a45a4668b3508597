export { checkoutFolder } from './binaries.ts';
export { connect, openDatabase, usability, type Database, type DatabaseSettings, type Db, type Transaction } from './database.ts';
export type { DB } from './tables.ts';
