import { startEmbedded } from '../../platform/db/embedded.ts';
import { createLog } from '../../platform/log.ts';

// A PostgreSQL of its own in the folder named first, for processes that share one: its address is the one line printed.
// Ends with standard input.
const database = await startEmbedded({
  dataDir: process.argv[2] ?? '',
  role: 'a test',
  log: createLog('error'),
  settings: ['fsync=off', 'full_page_writes=off', 'max_connections=200'],
});
const { host, user, database: name } = database.connection;
process.stdout.write(`postgres://${user}@localhost/${name}?host=${encodeURIComponent(String(host))}\n`);
process.stdin.resume();
process.stdin.once('end', () => void database.stop().then(() => process.exit(0)));
