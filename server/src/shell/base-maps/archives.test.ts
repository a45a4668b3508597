import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openFiles } from '../../platform/files/index.ts';
import { smallArchive } from '../../testing/small-archive.ts';
import { ArchiveError, createArchives } from './archives.ts';

const folder = mkdtempSync(join(tmpdir(), 'lampyris-archives-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const files = openFiles(join(folder, 'files'));
const archives = createArchives({ files, now: () => new Date(0) });
const kept = async (bytes: Buffer) => ({ file: (await files.receive(Readable.from([bytes]))).name });

/** What the address gives now, and under which mark. */
const now = { bytes: Buffer.alloc(0), etag: '' };
const server: Server = createServer((request, response) => {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  if (Number(from) >= now.bytes.length) response.writeHead(416).end();
  else response.writeHead(206, { etag: now.etag }).end(now.bytes.subarray(Number(from), Number(to) + 1));
});
const place = { address: '', reach: 'machine' as const };
beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  place.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/city.pmtiles`;
});
afterAll(() => void server.close());

const megabyte = 1024 * 1024;

test('a packed archive is unpacked', async () => {
  const one = await kept(
    smallArchive(Buffer.from('tile'), 1, { packed: true, padding: { directory: 1000, metadata: megabyte } }),
  );
  expect(await archives.facts(one)).toMatchObject({ format: 'vector', attribution: '© Test & Co' });
  expect(String(await archives.tile(one, 0, 0, 0))).toBe('tile');
});

test.each([
  ['directory', smallArchive(Buffer.from('tile'), 1, { packed: true, padding: { directory: 32 * megabyte } })],
  ['metadata', smallArchive(Buffer.from('tile'), 1, { packed: true, padding: { metadata: 32 * megabyte } })],
  ['tile', smallArchive(Buffer.alloc(32 * megabyte), 1, { packed: true })],
])('a small archive whose %s unpacks to something huge is refused', async (_what, bytes) => {
  expect(bytes.length).toBeLessThan(megabyte);
  const one = await kept(bytes);
  await expect(archives.facts(one).then(() => archives.tile(one, 0, 0, 0))).rejects.toBeInstanceOf(ArchiveError);
});

test.each([
  ['a longer one', Buffer.from('a new tile that is longer')],
  ['a shorter one', Buffer.from('n')],
])('an archive that was replaced at its address by %s is read anew', async (_what, tile) => {
  Object.assign(now, { bytes: smallArchive(Buffer.from('old tile')), etag: `"old ${tile.length}"` });
  expect(String(await archives.tile(place, 0, 0, 0))).toBe('old tile');
  Object.assign(now, { bytes: smallArchive(tile), etag: `"new ${tile.length}"` });
  expect(String(await archives.tile(place, 0, 0, 0))).toBe(String(tile));
});

test('a mark that never stays the same is an error, not a loop', async () => {
  const other = { ...place, address: `${place.address}?changing` };
  Object.assign(now, { bytes: smallArchive(Buffer.from('tile')) });
  let asked = 0;
  Object.defineProperty(now, 'etag', { configurable: true, get: () => `"${(asked += 1)}"` });
  await expect(archives.tile(other, 0, 0, 0)).rejects.toBeInstanceOf(ArchiveError);
});
