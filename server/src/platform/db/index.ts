export { checkoutFolder } from './binaries.ts';
export { contains, countOf, countRows } from './counting.ts';
export { connect, openDatabase, usability, type Database, type Db, type Transaction } from './database.ts';
