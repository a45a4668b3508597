import type pg from 'pg';
import { createLog } from '../log.ts';
import { connect, type Database } from './database.ts';

/** A connection as data: functions are not handed to a thread. */
export const forThread = ({ types: _functions, ...connection }: pg.ClientConfig): pg.ClientConfig => connection;

/** The one connection of a worker thread, by its name in `pg_stat_activity`. */
export function connectInThread(connection: pg.ClientConfig, name: string): Database {
  const database = connect({ ...connection, max: 1, application_name: name }, createLog('silent'));
  // When this thread ends early its query must end too: the server checks whether the client still listens. Not every
  // system can.
  database.pool.on(
    'connect',
    (client) => void client.query('SET client_connection_check_interval = 500').catch(() => undefined),
  );
  return database;
}
