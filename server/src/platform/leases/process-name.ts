import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { codeOf } from '../start-error.ts';

/**
 * This machine since its last boot, or this container: the scope in which a process id has one meaning. Random if it
 * cannot be determined.
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
 * Whether the process of a name is certainly gone: it ran on this machine, and no process has its id. false if this
 * cannot be determined.
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
