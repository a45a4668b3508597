import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { faults } from '../catalogue/faults.ts';
import { lampsBehind } from './city/dramas.ts';
import { generateCity } from './city/index.ts';
import { readHandover, type Handover } from './city/handover.ts';
import { writeWhole } from './fleet/memory-file.ts';
import { play } from './fleet/play.ts';
import { storiesOf } from './fleet/stories.ts';

/**
 * The simulator, a process of its own: `node simulator/main.ts <handover file> [--list-faults]`. It keeps what its
 * devices remember, and the list of their faults, beside that file. SIGTERM is a power cut to all devices; when its
 * parent closes the channel or is gone, it says good-bye.
 */
const usage = 'use: node simulator/main.ts <handover file> [--list-faults]';

function main([file, ...options]: readonly string[]): void {
  if (file === undefined) throw new Error(usage);
  const handover = readHandover(readFileSync(file, 'utf8'));
  const listed = faultList(handover);
  if (options.includes('--list-faults')) {
    process.stdout.write(`${listed.map(({ fault, code, deviceId }) => `${fault}\t${code}\t${deviceId}`).join('\n')}\n`);
    return;
  }
  const folder = dirname(file);
  writeWhole(join(folder, 'faults.json'), `${JSON.stringify(listed, null, 1)}\n`);
  // The server and the people at the console come first.
  setPriority(10);
  const running = play({
    handover,
    memoryFile: join(folder, 'simulator-memory.json'),
    scenarioFile: join(folder, 'scenario.json'),
    progressFile: join(folder, 'progress.json'),
    say,
  });
  const stop = (how: 'cut' | 'goodBye'): void => void running.stop(how).finally(() => process.exit(0));
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop('cut'));
  endWithParent(() => stop('goodBye'));
}

/**
 * The faults of the city's lamps and silent controllers in the order of their codes, who disobeys its plan, the parts of
 * the city's dramas, and what is wrong with other devices.
 */
function faultList(handover: Handover): { fault: string; code: string; deviceId: number }[] {
  const city = generateCity({ seed: handover.seed, lamps: handover.lamps });
  const lamps = city.lamps.flatMap((lamp, index) =>
    lamp.fault ? [{ fault: lamp.fault as string, code: lamp.code, deviceId: handover.lampIds[index] ?? 0 }] : [],
  );
  const disobedient = city.lamps.flatMap((lamp, index) =>
    lamp.obedience === 'wrongPlan'
      ? [{ fault: lamp.obedience as string, code: lamp.code, deviceId: handover.lampIds[index] ?? 0 }]
      : [],
  );
  const boxes = city.boxes.flatMap((box, index) =>
    box.silent ? [{ fault: 'N302', code: box.controllerCode, deviceId: handover.controllerIds[index] ?? 0 }] : [],
  );
  const behind = lampsBehind(city.loops, city.dramas.cut).map((lamp) => ({
    fault: 'cableCut',
    code: city.lamps[lamp]?.code ?? '',
    deviceId: handover.lampIds[lamp] ?? 0,
  }));
  const told = storiesOf(city, handover, 0).flatMap(({ kind, code, deviceId }) =>
    kind === 'cableCut' ? behind : [{ fault: kind as string, code, deviceId }],
  );
  const equipment = city.equipment.flatMap(({ trouble, code }, index) =>
    trouble ? [{ fault: trouble as string, code, deviceId: handover.equipmentIds[index] ?? 0 }] : [],
  );
  const order = faults.map(({ code }) => code as string);
  return [
    ...[...boxes, ...lamps].sort((a, b) => order.indexOf(a.fault) - order.indexOf(b.fault)),
    ...disobedient,
    ...told,
    ...equipment,
  ];
}

/**
 * A parent that ends closes the channel; one that was killed says nothing: its end of the channel closes all the same,
 * or somebody else becomes the parent.
 */
function endWithParent(stop: () => void): void {
  if (!process.send) return;
  // It was killed while this process was still loading.
  if (!process.connected) return stop();
  const parent = process.ppid;
  process.on('disconnect', stop);
  setInterval(() => {
    if (process.ppid !== parent) stop();
  }, 2000).unref();
}

function say(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
  process.stdout.write(`${JSON.stringify({ message, ...fields })}\n`);
}

try {
  main(process.argv.slice(2));
} catch (thrown) {
  process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
  process.exit(1);
}
