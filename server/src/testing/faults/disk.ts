import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestPostgres } from './postgres.ts';

/**
 * Where the database lies: a file system of its own that can be filled, or a folder whose files can be kept from
 * growing.
 */
export interface Disk {
  readonly folder: string;
  fill(postgres: TestPostgres): void;
  empty(postgres: TestPostgres): void;
  remove(): void;
}

/** As root a small file system in memory; else files that may not grow. */
export function makeDisk(megabytes: number): Disk {
  const folder = mkdtempSync(join(tmpdir(), 'lampyris-disk-'));
  chmodSync(folder, 0o755);
  const own = mounted(folder, megabytes);
  const filler = join(folder, 'filler');
  return {
    folder,
    fill(postgres) {
      if (!own) return postgres.limitFiles(8192);
      // Block by block until nothing fits any more.
      try {
        for (let part = 0; ; part += 1) writeFileSync(`${filler}-${part}`, Buffer.alloc(2 ** 20));
      } catch {
        // Full: that was wanted.
      }
    },
    empty(postgres) {
      if (!own) return postgres.limitFiles(null);
      for (let part = 0; part < megabytes; part += 1) {
        try {
          truncateSync(`${filler}-${part}`, 0);
        } catch {
          break;
        }
      }
    },
    remove() {
      if (own) execFileSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function mounted(folder: string, megabytes: number): boolean {
  if (process.getuid?.() !== 0) return false;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
