import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import type { Entry } from './plan.ts';

export interface Packed {
  readonly files: number;
  /** Of all files, before they are packed. */
  readonly plainBytes: number;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Writes `entries` below `folder` into a tar.gz, with a SHA256SUMS of every file. The same entries and `mtime` make the
 * same bytes: no owner, one time for all, the order as given.
 */
export async function packRelease(
  target: string,
  folder: string,
  entries: readonly Entry[],
  mtime: Date,
): Promise<Packed> {
  const tar = pack();
  const written = pipeline(tar, createGzip({ level: 9 }), createWriteStream(target));
  const sums: string[] = [];
  let plainBytes = 0;
  const add = (path: string, bytes: Buffer, executable: boolean) => {
    plainBytes += bytes.length;
    const header = { name: `${folder}/${path}`, mode: executable ? 0o755 : 0o644, mtime, uid: 0, gid: 0 };
    return new Promise<void>((resolve, reject) => {
      tar.entry(header, bytes, (thrown) => (thrown ? reject(thrown) : resolve()));
    });
  };
  for (const entry of entries) {
    if ('linkTo' in entry) {
      tar.entry({ name: `${folder}/${entry.path}`, type: 'symlink', linkname: entry.linkTo, mtime, uid: 0, gid: 0 });
      continue;
    }
    const bytes = 'text' in entry ? Buffer.from(entry.text) : await readFile(entry.from);
    sums.push(`${createHash('sha256').update(bytes).digest('hex')}  ${entry.path}`);
    await add(entry.path, bytes, entry.executable);
  }
  await add('SHA256SUMS', Buffer.from(`${sums.join('\n')}\n`), false);
  tar.finalize();
  await written;
  const hash = createHash('sha256');
  await pipeline(createReadStream(target), hash);
  return { files: sums.length, plainBytes, bytes: statSync(target).size, sha256: hash.digest('hex') };
}
