// Opens the embedded database of a folder as a server does, says so, and stops on SIGTERM.
import { openDatabase } from '../../platform/db/index.ts';
import { createLog } from '../../platform/log.ts';
import { StartError } from '../../platform/start-error.ts';

const [dataDir = '', role = 'a test'] = process.argv.slice(2);
try {
  const database = await openDatabase({ databaseUrl: null, dataDir, role, log: createLog('info') });
  process.once('SIGTERM', () => void database.stop().then(() => process.exit(0)));
  process.stdout.write('open\n');
} catch (thrown) {
  if (!(thrown instanceof StartError)) throw thrown;
  process.stdout.write(`refused: ${thrown.message}\n`);
  process.exitCode = 1;
}
