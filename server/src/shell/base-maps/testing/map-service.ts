import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import { afterAll, beforeEach } from 'vitest';
import { openFiles } from '../../../platform/files/index.ts';
import { openKeys } from '../../../platform/keys/index.ts';
import { testApp } from '../../../testing/app.ts';
import { baseMapsRoutes, createBaseMaps } from '../index.ts';
import { smallArchive } from '../../../testing/small-archive.ts';

interface Row {
  id: number;
  version: number;
  kind: string;
  isDefault: boolean;
  name: string | null;
  hasKey: boolean;
  format: string;
  minZoom: number;
  maxZoom: number;
  attribution: string | null;
}
interface Answer {
  tile: object;
  stated: { longitude: number; latitude: number };
  system: string;
  layers: {
    problem: string | null;
    status: number | null;
    address: string | null;
    detail: string | null;
    picture: string | null;
    width: number | null;
    contentType: string | null;
  }[];
}

/** Base maps, and a service of tiles that answers as a test says. Call it at the top of a test file. */
export async function mapService() {
  const png = await createCanvas(256, 256).encode('png');
  const archive = smallArchive(png);
  /** The map service: what it answers is said by the test. */
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  let asked: string[] = [];
  const service = createServer((request, response) => {
    asked.push(request.url ?? '');
    answer(request, response);
  });
  await new Promise<void>((ready) => {
    service.listen(0, '127.0.0.1', ready);
  });
  const port = (service.address() as AddressInfo).port;
  const base = `http://127.0.0.1:${port}`;
  const folder = mkdtempSync(join(tmpdir(), 'lampyris-maps-'));
  const files = openFiles(join(folder, 'files'));
  let ground = false;
  const app = await testApp({
    logLevel: 'silent',
    routes: (parts) =>
      baseMapsRoutes(
        createBaseMaps({
          ...parts,
          files,
          keys: openKeys(join(folder, 'secret.key')),
          fromThisMachine: true,
          hasGround: () => ground,
        }),
      ),
  });
  afterAll(() => {
    service.closeAllConnections();
    service.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const picture = (_request: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': 'image/png' }).end(png);
  const say =
    (status: number, body: string, type = 'text/html') =>
    (_request: IncomingMessage, response: ServerResponse) =>
      void response.writeHead(status, { 'content-type': type }).end(body);
  const address = `${base}/{z}/{x}/{y}.png?tk={key}`;
  const create = (body: object) =>
    app.call<Row>('/api/v1/base-maps', { body: { kind: 'xyz', name: '甲', allowPrivate: true, ...body } });
  const patch = (id: number, body: object) =>
    app.call<Row & Record<string, unknown>>(`/api/v1/base-maps/${id}`, { method: 'PATCH', body });
  const list = async () => (await app.call<{ data: Row[] }>('/api/v1/base-maps')).body.data;
  const tile = (map: Row, z: number, x: number, y: number, layer = 0) =>
    app.call(`/tiles/${map.id}/${map.version}/${layer}/${z}/${x}/${y}`);
  const ask = async (body: object) =>
    (
      await app.call<Answer>('/api/v1/base-map-tests', {
        body: { longitude: 116.404, latitude: 39.915, zoom: 10, ...body },
      })
    ).body;
  const fields = (reply: { body: object }) =>
    (reply.body as { params?: { field: string; rule: string }[] }).params?.map(({ field, rule }) => `${field} ${rule}`);

  beforeEach(async () => {
    await app.db.deleteFrom('base_map').where('id', '>', 2).execute();
    await app.db.updateTable('base_map').set({ is_default: false }).execute();
    asked = [];
    answer = picture;
    ground = false;
  });

  return {
    png,
    archive,
    get answer() {
      return answer;
    },
    set answer(next) {
      answer = next;
    },
    get asked() {
      return asked;
    },
    service,
    port,
    base,
    folder,
    files,
    get ground() {
      return ground;
    },
    set ground(next) {
      ground = next;
    },
    app,
    picture,
    say,
    address,
    create,
    patch,
    list,
    tile,
    ask,
    fields,
  };
}
