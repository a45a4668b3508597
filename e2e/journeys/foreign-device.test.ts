import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signInAdmin, type Client } from '../fixtures/api.ts';
import { startProduct, type Product } from '../fixtures/product.ts';

let product: Product;
let admin: Client;
let lamp: ChildProcess | undefined;
const said: Record<string, unknown>[] = [];

beforeAll(async () => {
  product = await startProduct();
  admin = await signInAdmin(product, 'Foreign-4711-lamp');
});
afterAll(async () => {
  lamp?.stdin?.end();
  await product?.stop();
});

async function until<T>(read: () => Promise<T | undefined> | T | undefined, what: string): Promise<T> {
  for (let tries = 0; tries < 600; tries += 1) {
    const found = await read();
    if (found !== undefined) return found;
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  }
  throw new Error(`${what} did not happen; the lamp said ${JSON.stringify(said)}`);
}

describe('a device that knows only the served document', () => {
  it('is registered, connects, reports, obeys, and its command is confirmed by its reading', async () => {
    const document = await admin.get<unknown>('/api/asyncapi.json');
    const { id } = await admin.send<{ id: number }>('POST', '/api/v1/devices', {
      family: 'single-lamp-controller',
      equipmentCode: 'FOREIGN-1',
      equipmentName: '别家的灯',
      workId: 1,
      power: 100,
    });
    const credentials = await admin.send<unknown>('POST', `/api/v1/devices/${id}/credentials`, {});
    const file = join(mkdtempSync(join(tmpdir(), 'foreign-')), 'lamp.json');
    writeFileSync(file, JSON.stringify({ document, credentials, deviceId: id }));
    lamp = spawn(process.execPath, [join(import.meta.dirname, '../fixtures/foreign-lamp.mjs'), file], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    createInterface({ input: lamp.stdout! }).on('line', (line) =>
      said.push(JSON.parse(line) as Record<string, unknown>),
    );
    await until(() => said.find((line) => line['reported'] === 0), 'the first report');
    expect(said.find((line) => line['subscribed'])).toEqual({ subscribed: [1, 1] });
    await until(() => said.find((line) => 'settings' in line), 'the settings');

    const order = await admin.send<{ id: number; total: number }>('POST', '/api/v1/commands', {
      deviceIds: [id],
      command: 'dim',
      args: { level: 60 },
    });
    expect(order.total).toBe(1);
    const item = await until(async () => {
      const command = await admin.get<{ items: { state: string; proof: unknown; until: string | null }[] }>(
        `/api/v1/commands/${order.id}`,
      );
      return command.items.find((one) => one.state === 'confirmed');
    }, 'the confirmation');
    expect(item.proof).toMatchObject({ level: 60, relay: true });
    expect(item.until).not.toBeNull();

    const seen = await until(async () => {
      const { data } = await admin.get<{
        data: { code: string; state: string; level: number | null; online: boolean }[];
      }>('/api/v1/lamps?q=FOREIGN-1');
      return data.find((one) => one.state === 'dimmed');
    }, 'the dimmed lamp in the list');
    expect(seen).toMatchObject({ level: 60, online: true });
  });

  it('is asked in vain when it is gone: the command times out, it is never called done', async () => {
    lamp?.stdin?.end();
    // Half a minute of waiting for what never comes shows nothing that less does not.
    await admin.send('PUT', '/api/v1/command-settings', { limits: { acknowledgeSeconds: 3 } });
    const { data } = await admin.get<{ data: { id: number }[] }>('/api/v1/lamps?q=FOREIGN-1');
    const order = await admin.send<{ id: number }>('POST', '/api/v1/commands', {
      deviceIds: [data[0]?.id],
      command: 'off',
    });
    const state = await until(async () => {
      const command = await admin.get<{ items: { state: string }[] }>(`/api/v1/commands/${order.id}`);
      return ['queued', 'sent'].includes(command.items[0]?.state ?? '') ? undefined : command.items[0]?.state;
    }, 'an end of the command');
    expect(state).toBe('timedOut');
  });
});
