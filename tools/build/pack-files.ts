import { readFile, readdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** What packs well; pictures and fonts are packed already. */
const packable = /\.(js|css|html|svg|json|txt|wasm|webmanifest)$/;
const leastBytes = 1024;

/**
 * Writes a `.br` and a `.gz` beside every file of a folder that becomes smaller by it. The work is done in zlib's
 * threads.
 */
export async function packFiles(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const waiting = entries
    .filter((entry) => entry.isFile() && packable.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  const work = async () => {
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) await packOne(path);
  };
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, work));
}

async function packOne(path: string): Promise<void> {
  const plain = await readFile(path);
  if (plain.length < leastBytes) return;
  const brotli = promisify(brotliCompress)(plain, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
  });
  const packed = { br: await brotli, gz: await promisify(gzip)(plain, { level: 9 }) };
  for (const [ending, bytes] of Object.entries(packed))
    if (bytes.length < plain.length) await writeFile(`${path}.${ending}`, bytes);
}
