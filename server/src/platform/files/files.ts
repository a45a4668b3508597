import { createHash, randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../make-folder.ts';
import { StartError, codeOf, reasonOf } from '../start-error.ts';

/** Pictures and other uploads, named by their content: the same bytes have the same name and are kept once. */
export interface Files {
  /** Keeps `bytes` and returns their name, 64 hexadecimal digits. On disk before it returns. */
  put(bytes: Uint8Array): Promise<string>;
  /** The bytes of that name, or undefined when there are none. */
  get(name: string): Promise<Buffer | undefined>;
}

/** Opens (and makes) the folder of FILES_URL. Throws StartError when it cannot be made. */
export function openFiles(folder: string): Files {
  try {
    makeFolder(folder, 0o700);
  } catch (thrown) {
    throw new StartError(`The folder for files ${folder} cannot be made: ${reasonOf(thrown)}`);
  }
  const pathOf = (name: string) => join(folder, name.slice(0, 2), name);
  return {
    async put(bytes) {
      const name = createHash('sha256').update(bytes).digest('hex');
      await write(pathOf(name), bytes);
      return name;
    },
    async get(name) {
      if (!/^[0-9a-f]{64}$/.test(name)) return undefined;
      try {
        return await readFile(pathOf(name));
      } catch (thrown) {
        if (codeOf(thrown) === 'ENOENT') return undefined;
        throw thrown;
      }
    },
  };
}

/** Whole or not at all: written beside its place, flushed, then linked into it. */
async function write(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomUUID()}`;
  const handle = await open(temporary, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  try {
    await link(temporary, path);
  } catch (thrown) {
    if (codeOf(thrown) !== 'EEXIST') throw thrown;
  } finally {
    await rm(temporary, { force: true });
  }
}
