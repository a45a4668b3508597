import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { login, signInAdmin, type Client } from '../fixtures/api.ts';
import { openBrowser, person } from '../fixtures/browser.ts';
import { waitUntil } from '../fixtures/city.ts';
import { freePort } from '../fixtures/free-port.ts';
import { mosquittoIsThere, startMosquitto, type Mosquitto } from '../fixtures/mosquitto.ts';
import { startPlainLamp, type Credentials, type PlainLamp } from '../fixtures/plain-lamp.ts';
import { startPostgres, type Postgres } from '../fixtures/postgres.ts';
import { startProduct, type Product } from '../fixtures/product.ts';
import { startProxy, type Proxy } from '../fixtures/proxy.ts';

const initial = 'Lantern#7x-two';
const password = 'Journey-4711-two';
const portOf = ({ url }: Product): number => Number(new URL(url).port);

describe.skipIf(!mosquittoIsThere)('two servers on one PostgreSQL and one Mosquitto', () => {
  const shared = mkdtempSync(join(tmpdir(), 'lampyris-shared-'));
  let browser: Browser;
  let postgres: Postgres;
  let mosquitto: Mosquitto;
  let products: [Product, Product];
  let database: pg.Client;
  let proxy: Proxy;
  const lamps: PlainLamp[] = [];

  beforeAll(async () => {
    [browser, postgres, mosquitto] = await Promise.all([openBrowser(), startPostgres(), startMosquitto()]);
    const env = {
      DATABASE_URL: postgres.url,
      MQTT_URL: mosquitto.url,
      LEASE_SECONDS: '6',
      ADMIN_PASSWORD: initial,
      SECRET_KEY_FILE: join(shared, 'secret.key'),
      FILES_URL: pathToFileURL(join(shared, 'files')).href,
    };
    // At the same moment, on a database that is empty.
    products = await Promise.all([startProduct({ env }), startProduct({ env })]);
    database = new pg.Client(postgres.url);
    await database.connect();
    proxy = await startProxy(await freePort(), portOf(products[0]));
  });
  afterAll(async () => {
    for (const lamp of lamps) await lamp.stop();
    proxy?.stop();
    await browser?.close();
    await database?.end();
    for (const product of products ?? []) await product.stop();
    await mosquitto?.stop();
    await postgres?.stop();
    rmSync(shared, { recursive: true, force: true });
  });

  /** The product whose process receives what devices say; undefined while nobody does. */
  async function receiver(): Promise<Product | undefined> {
    const { rows } = await database.query<{ pid: number }>(
      `SELECT split_part(holder, '/', 2)::int AS pid FROM lease WHERE name = 'ingest/1' AND until > clock_timestamp()`,
    );
    return products.find(({ pid }) => pid === rows[0]?.pid);
  }

  async function connectLamps(admin: Client, count: number): Promise<void> {
    for (let number = 1; number <= count; number += 1) {
      const code = `TWO-${number}`;
      const { id } = await admin.send<{ id: number }>('POST', '/api/v1/devices', {
        family: 'single-lamp-controller',
        equipmentCode: code,
        equipmentName: code,
        workId: 1,
        power: 100,
      });
      const credentials = await admin.send<Credentials>('POST', `/api/v1/devices/${id}/credentials`, {});
      lamps.push(await startPlainLamp(mosquitto.url, id, credentials));
    }
  }

  /** The operator's page, through what stands before the servers. */
  async function watch(code: string): Promise<Page> {
    const { body } = await login(proxy.url, 'admin', password);
    const context = await person(browser);
    await context.addInitScript(
      `if (!localStorage.getItem('token')) { localStorage.setItem('token', ${JSON.stringify(body.token)}); localStorage.setItem('username', 'admin'); }`,
    );
    const page = await context.newPage();
    await page.goto(`${proxy.url}/lamp/monitor?view=list&q=${code}`);
    await page.getByRole('button', { name: code, exact: true }).click();
    await page.getByRole('complementary', { name: code }).getByRole('button', { name: '关灯' }).waitFor();
    return page;
  }

  /** Every acknowledged reading is stored once, and nothing else is. */
  async function expectEverything(): Promise<void> {
    for (const lamp of lamps) await lamp.quiet();
    const ids = lamps.map(({ id }) => id);
    const expected = lamps.flatMap(({ id, acknowledged }) => acknowledged.map((at) => `${id}/${at}`)).toSorted();
    const stored = async () =>
      (
        await database.query<{ key: string }>(
          `SELECT device_id || '/' || (extract(epoch FROM at) * 1000)::bigint AS key FROM reading
            WHERE device_id = ANY($1)`,
          [ids],
        )
      ).rows
        .map(({ key }) => key)
        .toSorted();
    await waitUntil(
      'all acknowledged readings to be stored',
      async () => (await stored()).length >= expected.length,
      30,
    );
    expect(await stored()).toEqual(expected);
  }

  const statesOf = async (admin: Client, id: number) =>
    (await admin.get<{ items: { state: string }[] }>(`/api/v1/commands/${id}`)).items.map(({ state }) => state);

  it('goes on for the operator while either of them is killed: no reading lost or twice, a command ends once', async () => {
    const first = await signInAdmin({ url: products[0].url, initialPassword: () => initial }, password);
    await connectLamps(first, 3);
    const [lamp] = lamps;
    if (!lamp) throw new Error('no lamp');
    await waitUntil('somebody to receive', async () => (await receiver()) !== undefined);
    const dying = await receiver();
    const staying = products.find((one) => one !== dying);
    if (!dying || !staying) throw new Error('nobody receives');
    proxy.lead(portOf(staying));
    const page = await watch('TWO-1');
    const admin = await signInAdmin({ url: staying.url, initialPassword: () => initial }, password);

    const order = await admin.send<{ id: number }>('POST', '/api/v1/commands', {
      deviceIds: [lamp.id],
      command: 'dim',
      args: { level: 60 },
    });
    const gone = dying.kill();
    await waitUntil('the other one to receive', async () => (await receiver()) === staying, 20);
    await gone;
    await waitUntil('the command to end', async () => (await statesOf(admin, order.id)).join() === 'confirmed', 30);
    expect(new Set(lamp.heard)).toEqual(new Set([String(order.id)]));
    await page.getByRole('complementary', { name: 'TWO-1' }).getByText('60%').first().waitFor({ timeout: 30_000 });

    await dying.restart();
    proxy.lead(portOf(dying));
    await staying.kill();
    await waitUntil('the one that came back to receive', async () => (await receiver()) === dying, 20);
    const other = await signInAdmin({ url: dying.url, initialPassword: () => initial }, password);
    const second = await other.send<{ id: number }>('POST', '/api/v1/commands', {
      deviceIds: [lamp.id],
      command: 'dim',
      args: { level: 35 },
    });
    await page.getByRole('complementary', { name: 'TWO-1' }).getByText('35%').first().waitFor({ timeout: 30_000 });
    await waitUntil(
      'the second command to end',
      async () => (await statesOf(other, second.id)).join() === 'confirmed',
      30,
    );
    expect(new URL(page.url()).pathname).toBe('/lamp/monitor');
    await expectEverything();
  });
});
