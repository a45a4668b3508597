import { closeSync, existsSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** The file that keeps the first administrator's random password until it is changed. */
export interface InitialPasswordFile {
  readonly path: string;
  /** On disk, readable by us alone, before it returns. */
  write(password: string): void;
  read(): string | undefined;
  remove(): void;
}

export function initialPasswordFile(dataDir: string): InitialPasswordFile {
  const path = join(dataDir, 'initial-password');
  return {
    path,
    write(password) {
      rmSync(path, { force: true });
      const handle = openSync(path, 'wx', 0o600);
      writeSync(handle, `${password}\n`);
      fsyncSync(handle);
      closeSync(handle);
    },
    read: () => (existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined),
    remove: () => rmSync(path, { force: true }),
  };
}
