export { connect, openDatabase, type Database, type DatabaseSettings, type Db, type Transaction } from './database.ts';
export type { DB } from './tables.ts';
