import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { codeOf } from '../start-error.ts';

/**
 * This machine since it was last switched on, or this container: where process ids mean the same. By chance where that
 * cannot be told.
 */
const machine = (() => {
  try {
    const place = `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')} ${readlinkSync('/proc/self/ns/pid')}`;
    return createHash('sha256').update(place).digest('hex').slice(0, 8);
  } catch {
    return randomBytes(4).toString('hex');
  }
})();

/** What this process calls itself before others: no other one, here or on another machine, has the same name. */
export const processName = `${hostname().slice(0, 40)}/${process.pid}/${machine}-${randomBytes(3).toString('hex')}`;

/**
 * Whether the process of a name is gone for sure: it ran where we run, and has no process any more. False for all of
 * which that cannot be told.
 */
export function isGone(name: string): boolean {
  const [, pid, place] = /\/([1-9]\d*)\/([0-9a-f]{8})-[0-9a-f]{6}$/.exec(name) ?? [];
  if (pid === undefined || place !== machine) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (thrown) {
    return codeOf(thrown) === 'ESRCH';
  }
}
