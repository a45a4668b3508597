import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** The product's broker without the product, as a process of its own. */
export async function startAloneBroker(): Promise<{ port: number; pid: number; stop(): Promise<void> }> {
  const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, 'aedes-alone.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = (await once(child.stdout ?? child, 'data')) as [Buffer];
  return {
    port: Number(said.toString()),
    pid: child.pid ?? 0,
    async stop() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}
