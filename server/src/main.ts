import { build, type Product } from './build.ts';
import { readConfig, type Config } from './config.ts';
import { keepHeapSmall } from './platform/heap.ts';
import { processName } from './platform/leases/index.ts';
import { createLog, type Log } from './platform/log.ts';
import { createRunning } from './platform/running.ts';
import { StartError } from './platform/start-error.ts';
import { announce, warnings } from './start-notices.ts';

const demonstration = process.argv[2] === 'demo';
// A stop that does not come to its end must not leave a process behind for ever.
const stopDeadlineMs = 30_000;

keepHeapSmall();

try {
  const config = readConfig(process.env, { demonstration });
  await run(config, createLog(config.logLevel).child({ process: processName }));
} catch (thrown) {
  endWith(thrown);
}

/** Starts one process, and stops it in the reverse order when it is told to. */
async function run(config: Config, log: Log): Promise<void> {
  const running = createRunning(log);
  const stopping = new AbortController();
  let product: Promise<Product> | undefined;
  const stop = (reason: string, exitCode: number) => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    log.info({ reason }, 'stopping');
    setTimeout(() => end(log, 1, 'the stop did not come to its end'), stopDeadlineMs).unref();
    // A start under way comes to its own end first: what it was starting is then known and can be stopped.
    void Promise.allSettled([product]).then(() => running.stop()).then(() => end(log, exitCode, 'stopped'));
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop(signal, 0));
  process.on('uncaughtException', (thrown) => {
    log.fatal({ err: thrown }, 'a bug ended the program');
    stop('bug', 1);
  });

  for (const warning of warnings(config)) log.warn(warning);
  try {
    product = build({ config, log, running, signal: stopping.signal });
    const { address, installation } = await product;
    if (!stopping.signal.aborted) announce(log, address, installation);
  } catch (thrown) {
    if (stopping.signal.aborted) return;
    stopping.abort();
    await running.stop();
    throw thrown;
  }
}

function end(log: Log, code: number, message: string): void {
  log.info(message);
  process.exit(code);
}

/** One line for what an operator can mend; a bug shows where it is. */
function endWith(thrown: unknown): void {
  const text = thrown instanceof StartError ? thrown.message : thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
