import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readFile, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { makeFolder } from '../make-folder.ts';
import { StartError, codeOf, reasonOf } from '../start-error.ts';

/** Pictures, exports and other files, named by their content: the same bytes have the same name and are kept once. */
export interface Files {
  /** Keeps `bytes` and returns their name, 64 hexadecimal digits. On disk before it returns. */
  put(bytes: Uint8Array): Promise<string>;
  /** The bytes of that name, or undefined when there are none. */
  get(name: string): Promise<Buffer | undefined>;
  /** Keeps what a stream gives, whatever its length; on disk before it returns. Nothing stays when the stream fails. */
  receive(source: AsyncIterable<Uint8Array>): Promise<{ readonly name: string; readonly bytes: number }>;
  /** The bytes of that name as a stream, or undefined when there are none. */
  open(name: string): Promise<Readable | undefined>;
  /** The same, and how many bytes they are. */
  sized(name: string): Promise<{ readonly bytes: number; readonly stream: Readable } | undefined>;
  /** Some bytes of that name from `offset` on, fewer at its end; undefined when there are none of that name. */
  slice(name: string, offset: number, length: number): Promise<Buffer | undefined>;
  /** Takes the bytes of that name away; none is no error. */
  remove(name: string): Promise<void>;
  /** Whether there are bytes of that name. */
  has(name: string): Promise<boolean>;
  /** Every name that was kept (also once more) before `before`, folder by folder. */
  names(before: Date): AsyncGenerator<string[]>;
  /** Takes away what a killed process left half received, when it is older than a day. */
  sweep(now: Date): Promise<void>;
}

const dayMs = 86_400_000;
const isName = (name: string): boolean => /^[0-9a-f]{64}$/.test(name);

/** Opens (and makes) the folder of FILES_URL. Throws StartError when it cannot be made. */
export function openFiles(folder: string): Files {
  try {
    makeFolder(folder, 0o700);
  } catch (thrown) {
    throw new StartError(`The folder for files ${folder} cannot be made: ${reasonOf(thrown)}`);
  }
  const pathOf = (name: string) => join(folder, name.slice(0, 2), name);
  const incoming = join(folder, 'incoming');
  async function sized(name: string) {
    if (!isName(name)) return undefined;
    const found = await stat(pathOf(name)).catch((thrown: unknown) => {
      if (codeOf(thrown) === 'ENOENT') return undefined;
      throw thrown;
    });
    return found && { bytes: found.size, stream: createReadStream(pathOf(name)) };
  }
  return {
    async put(bytes) {
      const name = createHash('sha256').update(bytes).digest('hex');
      await write(pathOf(name), bytes);
      return name;
    },
    async get(name) {
      if (!isName(name)) return undefined;
      try {
        return await readFile(pathOf(name));
      } catch (thrown) {
        if (codeOf(thrown) === 'ENOENT') return undefined;
        throw thrown;
      }
    },
    async receive(source) {
      await mkdir(incoming, { recursive: true, mode: 0o700 });
      const temporary = join(incoming, randomUUID());
      try {
        const { name, bytes } = await keep(source, temporary);
        await mkdir(dirname(pathOf(name)), { recursive: true, mode: 0o700 });
        // Over the same content, if it is there: then it counts as kept just now. (No hard link: not every file system
        // has them.)
        await rename(temporary, pathOf(name));
        return { name, bytes };
      } finally {
        await rm(temporary, { force: true });
      }
    },
    async open(name) {
      return (await sized(name))?.stream;
    },
    sized,
    async slice(name, offset, length) {
      if (!isName(name)) return undefined;
      const handle = await open(pathOf(name), 'r').catch((thrown: unknown) => {
        if (codeOf(thrown) === 'ENOENT') return undefined;
        throw thrown;
      });
      if (!handle) return undefined;
      try {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset);
        return buffer.subarray(0, bytesRead);
      } finally {
        await handle.close();
      }
    },
    async remove(name) {
      if (isName(name)) await rm(pathOf(name), { force: true });
    },
    async has(name) {
      return isName(name) && (await stat(pathOf(name)).catch(() => undefined)) !== undefined;
    },
    async *names(before) {
      for (const part of (await readdir(folder)).filter((entry) => /^[0-9a-f]{2}$/.test(entry))) {
        const old: string[] = [];
        for (const name of (await readdir(join(folder, part)).catch(() => [])).filter(isName)) {
          const found = await stat(pathOf(name)).catch(() => undefined);
          if (found && found.mtimeMs < before.getTime()) old.push(name);
        }
        if (old.length > 0) yield old;
      }
    },
    async sweep(now) {
      for (const entry of await readdir(incoming).catch(() => [])) {
        const found = await stat(join(incoming, entry)).catch(() => undefined);
        if (found && now.getTime() - found.mtimeMs > dayMs) await rm(join(incoming, entry), { force: true });
      }
    },
  };
}

/** Writes a stream to a new file, flushed, and tells the name of its content. */
async function keep(source: AsyncIterable<Uint8Array>, path: string): Promise<{ name: string; bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const handle = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of source) {
      hash.update(chunk);
      bytes += chunk.length;
      await handle.writeFile(chunk);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { name: hash.digest('hex'), bytes };
}

/** Whole or not at all: written beside its place, flushed, then named; over the same content, if it is there. */
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
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}
