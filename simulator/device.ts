import { playDevice } from './single/play.ts';
import { readOptions } from './single/options.ts';

/**
 * One device alone, for somebody who wants to see how a device comes in: `npm run device -- --broker … --user …
 * --password …`.
 */
try {
  const stop = playDevice(
    readOptions(process.argv.slice(2)),
    (what, more = {}) =>
      void process.stdout.write(
        `${what}${Object.entries(more)
          .map(([key, value]) => ` ${key}=${String(value)}`)
          .join('')}\n`,
      ),
  );
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => void stop().finally(() => process.exit(0)));
} catch (thrown) {
  process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
  process.exit(1);
}
