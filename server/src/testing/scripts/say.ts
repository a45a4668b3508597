// Logs one record, given as JSON; for the log's test.
import { createLog } from '../../platform/log.ts';

createLog('info').info(JSON.parse(process.argv[2] ?? '{}') as object, 'said');
