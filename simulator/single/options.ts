import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { families, familyOf } from '../../catalogue/index.ts';
import { batchOfUsername, isSerial } from '../../protocols/mqtt-json/newcomers.ts';

/** How one device is to be played. */
export interface Options {
  readonly broker: string;
  readonly user: string;
  readonly password: string;
  readonly family: string;
  /** As an unknown device of a batch: its own serial. null: as the registered device whose credentials these are. */
  readonly newcomer: { readonly batchId: number; readonly serial: string; readonly memoryFile: string } | null;
  readonly everyMs: number;
}

export const usage = `use: npm run device -- --broker mqtt://host:port --user <name> --password <password> [--serial <serial>] [--family <family>] [--every <seconds>] [--memory <file>]
  with the credentials of a device it plays that device; with those of a batch and a serial it comes as an unknown device and waits to be claimed`;

/** Reads the command line; throws an error with one line that says what is wrong. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    strict: true,
    allowPositionals: false,
    options: {
      broker: { type: 'string' },
      user: { type: 'string' },
      password: { type: 'string' },
      serial: { type: 'string' },
      family: { type: 'string' },
      every: { type: 'string' },
      memory: { type: 'string' },
    },
  });
  const { broker, user, password, serial, family = 'single-lamp-controller', every = '10', memory } = values;
  if (broker === undefined || user === undefined || password === undefined) throw new Error(usage);
  if (!familyOf(family)?.exampleReading)
    throw new Error(
      `--family ${family}: no family that reports; there are ${families
        .filter((one) => one.exampleReading)
        .map(({ key }) => key)
        .join(', ')}`,
    );
  const seconds = Number(every);
  if (!(seconds >= 1 && seconds <= 3600)) throw new Error(`--every ${every}: 1 to 3600 seconds`);
  const batchId = batchOfUsername(user);
  if (batchId === undefined && serial !== undefined)
    throw new Error(`--serial goes with the user name of a batch (lampyris-batch-…), not with ${user}`);
  if (batchId !== undefined && (serial === undefined || !isSerial(serial)))
    throw new Error('--serial: 1 to 48 letters, digits, dots, dashes, underscores, colons');
  const newcomer =
    batchId === undefined || serial === undefined
      ? null
      : {
          batchId,
          serial,
          memoryFile: memory ?? join(tmpdir(), `lampyris-device-${batchId}-${serial.replaceAll(':', '_')}.json`),
        };
  return { broker, user, password, family, newcomer, everyMs: seconds * 1000 };
}
