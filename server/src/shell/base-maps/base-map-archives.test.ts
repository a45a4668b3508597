import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { lockFile } from '../../platform/files/index.ts';
import { insert, lockAll } from './base-maps.store.ts';
import { smallArchive } from '../../testing/small-archive.ts';
import { mapService } from './testing/map-service.ts';

const site = await mapService();
const { png, archive, base, files, app, create, patch, tile, ask, fields } = site;

describe('PMTiles', () => {
  const upload = (bytes: Buffer) =>
    app.call<{ name: string; format: string }>('/api/v1/base-map-files?name=city.pmtiles', {
      body: bytes,
      headers: { 'content-type': 'application/octet-stream' },
    });

  test('an uploaded archive gives its tiles, and goes with its base map', async () => {
    const { status, body: file } = await upload(archive);
    expect([status, file]).toMatchObject([
      201,
      { format: 'raster', minZoom: 0, maxZoom: 1, fileName: 'city.pmtiles', attribution: '© Test & Co' },
    ]);
    const { body: map } = await create({ kind: 'pmtiles', file: file.name });
    expect(map).toMatchObject({ format: 'raster', minZoom: 0, maxZoom: 1, attribution: '© Test & Co' });
    expect((await tile(map, 0, 0, 0)).bytes.equals(png)).toBe(true);
    expect((await tile(map, 1, 1, 1)).status).toBe(404);
    expect((await ask({ id: map.id, zoom: 0 })).layers[0]).toMatchObject({ problem: null, address: null, width: 256 });
    expect((await app.call(`/api/v1/base-maps/${map.id}`, { method: 'DELETE' })).status).toBe(204);
    expect(await files.slice(file.name, 0, 7)).toBeUndefined();
  });

  const other = (n: number) => smallArchive(Buffer.concat([png, Buffer.alloc(n)]));
  const known = async () => (await app.db.selectFrom('base_map_file').select('name').execute()).map(({ name }) => name);
  /** Until a request is over, or waits for what this transaction holds. */
  const settledOrWaiting = async (request: Promise<unknown>) => {
    let over = false;
    void request.finally(() => {
      over = true;
    });
    await expect
      .poll(
        async () =>
          over ||
          (
            await sql`SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = l.database
              WHERE d.datname = current_database() AND NOT l.granted`.execute(app.db)
          ).rows.length > 0,
        { timeout: 20_000 },
      )
      .toBe(true);
  };

  test('what others have just uploaded stays when a base map changes its archive or goes', async () => {
    const { body: one } = await upload(other(1));
    const { body: two } = await upload(other(2));
    const { body: fresh } = await upload(other(3));
    const { body: map } = await create({ kind: 'pmtiles', file: one.name });
    await patch(map.id, { file: two.name });
    expect(await known()).toEqual(expect.arrayContaining([two.name, fresh.name]));
    expect([await files.has(one.name), await files.has(fresh.name)]).toEqual([false, true]);
    await app.call(`/api/v1/base-maps/${map.id}`, { method: 'DELETE' });
    expect([await files.has(two.name), await files.has(fresh.name)]).toEqual([false, true]);
    expect((await create({ kind: 'pmtiles', file: fresh.name })).status).toBe(201);
  });

  test('an upload forgets no archive that a base map is just being made of', async () => {
    const { body: old } = await upload(other(4));
    await app.db
      .updateTable('base_map_file')
      .set({ created_at: new Date(0) })
      .where('name', '=', old.name)
      .execute();
    const coming = await app.db.transaction().execute(async (tx) => {
      await lockAll(tx);
      await insert(tx, 'pmtiles', { name: '乙', file: old.name });
      const request = upload(other(5));
      await settledOrWaiting(request);
      return { request };
    });
    expect((await coming.request).status).toBe(201);
    expect(await known()).toContain(old.name);
    expect(await files.has(old.name)).toBe(true);
  });

  test('an upload whose bytes somebody takes away meanwhile leaves no row without them', async () => {
    const bytes = other(6);
    const name = createHash('sha256').update(bytes).digest('hex');
    const coming = await app.db.transaction().execute(async (tx) => {
      await lockFile(tx, name);
      const request = upload(bytes);
      await settledOrWaiting(request);
      await files.remove(name);
      return { request };
    });
    expect((await coming.request).status).toBe(500);
    expect(await known()).not.toContain(name);
  });

  test('an address is read by ranges; one that gives none is refused', async () => {
    site.answer = (request, response) => {
      const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
      response.writeHead(206).end(archive.subarray(Number(from), Number(to) + 1));
    };
    const { body: map } = await create({ kind: 'pmtiles', address: `${base}/city.pmtiles` });
    expect((await tile(map, 0, 0, 0)).bytes.equals(png)).toBe(true);
    site.answer = (_request, response) =>
      void response.writeHead(200).end(Buffer.concat([archive, Buffer.alloc(40_000)]));
    const reply = await create({ kind: 'pmtiles', address: `${base}/other.pmtiles` });
    expect([reply.status, fields(reply)]).toEqual([400, ['address invalid']]);
  });

  test.each([
    ['a picture', png],
    ['nothing', Buffer.alloc(0)],
    ['version 2', Buffer.concat([Buffer.from('PMTiles'), Buffer.from([2]), Buffer.alloc(200)])],
    ['a torn archive', archive.subarray(0, 130)],
  ])('%s is refused', async (_name, bytes) => {
    const reply = await upload(bytes);
    expect([reply.status, (reply.body as { code?: number }).code]).toEqual([400, 3902]);
  });
});
