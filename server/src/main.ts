import { setTimeout as sleep } from 'node:timers/promises';
import { build, type Product } from './build.ts';
import { readConfig, type Config } from './config.ts';
import { keepHeapSmall } from './platform/heap.ts';
import { processName } from './platform/leases/index.ts';
import { createLog, type Log } from './platform/log.ts';
import { createRunning } from './platform/running.ts';
import { StartError } from './platform/start-error.ts';
import { announce, warnings } from './start-notices.ts';

const demonstration = process.argv[2] === 'demo';
// Service managers give a stop ten seconds: what is not over by then is given up, the database last of all.
const startPatienceMs = 1500;
const stopPatience = { parts: 5000, all: 7500 };
const stopDeadlineMs = 9500;

keepHeapSmall();

try {
  const config = readConfig(process.env, { demonstration });
  await run(config, createLog(config.logLevel).child({ process: processName }));
} catch (thrown) {
  endWith(thrown);
}

/** Starts one process, and stops it in the reverse order when it is told to. */
async function run(config: Config, log: Log): Promise<void> {
  const running = createRunning(log, 'database');
  const stopping = new AbortController();
  let product: Promise<Product> | undefined;
  const stop = (reason: string, exitCode: number) => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    log.info({ reason }, 'stopping');
    setTimeout(() => end(log, exitCode, 'the stop did not come to its end in time'), stopDeadlineMs).unref();
    // A start under way comes to its own end first: what it was starting is then known and can be stopped.
    const started = Promise.race([Promise.allSettled([product]), sleep(startPatienceMs)]);
    void started
      .then(() => running.stop(stopPatience))
      .then(() => Promise.allSettled([product]))
      .then(() => end(log, exitCode, 'stopped'));
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop(signal, 0));
  process.on('uncaughtException', (thrown) => {
    // What is given up while the program stops fails, and nobody waits for it any more.
    if (stopping.signal.aborted) return log.debug({ err: thrown }, 'given up by the stop');
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
    await running.stop(stopPatience);
    throw thrown;
  }
}

function end(log: Log, code: number, message: string): void {
  log.info(message);
  process.exit(code);
}

/** One line for what an operator can mend; a bug shows where it is. */
function endWith(thrown: unknown): void {
  const text =
    thrown instanceof StartError
      ? thrown.message
      : thrown instanceof Error
        ? (thrown.stack ?? thrown.message)
        : String(thrown);
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
