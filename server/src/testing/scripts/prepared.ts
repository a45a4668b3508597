// Makes the data folder named first with a database that is created and migrated, nothing else, as a product's own
// start leaves it.
import pg from 'pg';
import { startEmbedded } from '../../platform/db/embedded.ts';
import { migrate } from '../../platform/db/migrate.ts';
import { createLog } from '../../platform/log.ts';

const database = await startEmbedded({
  dataDir: process.argv[2] ?? '',
  role: 'npm test',
  log: createLog('error'),
  settings: ['fsync=off', 'full_page_writes=off'],
});
const client = new pg.Client(database.connection);
await client.connect();
await migrate(client);
await client.end();
await database.stop();
