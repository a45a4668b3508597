// Runs the migrations of a folder on a database, saying before each what it is about to do; for tests that kill it.
import pg from 'pg';
import { migrate, readMigrations } from '../../platform/db/migrate.ts';

const [url = '', folder = ''] = process.argv.slice(2);
const client = new pg.Client(url);
client.on('notice', (notice) => process.stdout.write(`${notice.message}\n`));
await client.connect();
const count = await migrate(client, readMigrations(folder));
process.stdout.write(`done ${count}\n`);
await client.end();
