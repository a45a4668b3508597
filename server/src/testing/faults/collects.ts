import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Loaded before the server (`node --import`): SIGUSR2 collects all garbage, and what memory it has then is what it
 * holds.
 */
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
process.on('SIGUSR2', () => collect());
