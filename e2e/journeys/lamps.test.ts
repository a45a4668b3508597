import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it, vi } from 'vitest';
import { expectAccessible, openBrowser } from '../fixtures/browser.ts';
import { lampsOf, startCity, waitUntil, type City, type LampRow } from '../fixtures/city.ts';

/**
 * The lamps the tests need, each on roads of its own: they run side by side, since most of their time is waiting for a
 * lamp.
 */
interface Cast {
  sound: LampRow;
  silent: LampRow;
  stuck: LampRow;
  roadId: number;
  roadName: string;
}

let browser: Browser;
let city: City;
let cast: Cast;

beforeAll(async () => {
  [browser, city] = await Promise.all([openBrowser(), startCity(400)]);
  // Waiting two minutes for what never comes shows nothing that less does not.
  await city.admin.send('PUT', '/api/v1/command-settings', { limits: { acknowledgeSeconds: 20, confirmSeconds: 45 } });
  // A fault is judged some readings after the first one: until then its lamp passes for a sound one.
  await waitUntil('every kind of fault of the city to be seen', async () => {
    const { faults } = await city.admin.get<{ faults: Record<string, number> }>('/api/v1/lamps/counts');
    return ['L101', 'L105', 'L106', 'L110', 'L111', 'L112', 'L113', 'N301'].every((fault) => (faults[fault] ?? 0) > 0);
  });
  const [sound, silent, stuck] = [
    await strongest('states=on'),
    await strongest('faults=N301'),
    await strongest('faults=L112'),
  ];
  const taken = new Set([sound, silent, stuck].map((lamp) => lamp.roadId));
  const onRoad = (await lampsOf(city.admin, 'states=on')).find((lamp) => lamp.roadId > 0 && !taken.has(lamp.roadId));
  if (!onRoad) throw new Error('no road is left for the road test');
  cast = { sound, silent, stuck, roadId: onRoad.roadId, roadName: onRoad.roadName };
});
afterAll(async () => {
  await browser?.close();
  await city?.product.stop();
});

/**
 * The lamp of a query with the best radio link: what a weak one loses is told by the road's task. One that the city's
 * people did not command before, where there is any: what its drawer says is of this test.
 */
async function strongest(query: string): Promise<LampRow> {
  const all = await lampsOf(city.admin, query);
  const lamps: LampRow[] = [];
  for (const lamp of all) {
    if (lamps.length === 12) break;
    if ((await lastCommand(lamp)) === undefined) lamps.push(lamp);
  }
  // Few lamps are silent, and all of them may have been commanded in better days.
  if (lamps.length === 0) lamps.push(...all.slice(0, 12));
  const strengths = await Promise.all(
    lamps.map(async ({ id }) => {
      const { latest } = await city.admin.get<{ latest: { values: { rssi?: number } } | null }>(
        `/api/v1/devices/${id}`,
      );
      return latest?.values.rssi ?? -200;
    }),
  );
  const found = lamps[strengths.indexOf(Math.max(...strengths))];
  if (!found) throw new Error(`no lamp for ${query}`);
  return found;
}

/**
 * Runs the work of one page at a time; waiting for lamps stays outside. On two busy cores each of four lists waits for
 * the other three, and a click for half a minute.
 */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const done = turn.then(work);
  turn = done.then(
    () => undefined,
    () => undefined,
  );
  return done;
}
let turn = Promise.resolve();

const again = async (code: string): Promise<LampRow | undefined> =>
  (await lampsOf(city.admin, `q=${code}`)).find((lamp) => lamp.code === code);

/** The drawer of one lamp, opened from the list. */
async function openDrawer(lamp: LampRow): Promise<{ page: Page; drawer: ReturnType<Page['locator']> }> {
  const page = await city.open(browser, `/lamp/monitor?view=list&q=${lamp.code}`);
  await page.getByRole('button', { name: lamp.code, exact: true }).click();
  const drawer = page.getByRole('complementary', { name: lamp.code });
  const off = drawer.getByRole('button', { name: '关灯' });
  // Of a lamp in trouble the drawer begins with that, and what commands it lies folded below.
  const folded = drawer.locator('details:not([open]) > summary');
  await off.or(folded).first().waitFor();
  if (!(await off.isVisible())) await folded.first().click();
  await off.waitFor();
  return { page, drawer };
}

interface Item {
  deviceId: number;
  code: string;
  state: string;
  error: string | null;
  proof: { level: number } | null;
}
type CommandList = { data: { id: number; item: Item }[] };
const lastCommand = async (lamp: LampRow) =>
  (await city.admin.get<CommandList>(`/api/v1/commands?deviceId=${lamp.id}`)).data[0];

describe('the map of all lamps', () => {
  it('takes a wheel and a drag that begin on a pill; a link flies to its lamp, clear of what lies over it', async ({
    expect,
  }) => {
    const page = await city.open(browser, '/lamp/monitor');
    // From so far that lamps in trouble are pills.
    for (let step = 0; step < 2; step += 1) await page.getByRole('button', { name: '缩小' }).click();
    const pill = page.locator('.maplibregl-canvas-container button[data-x]:visible').first();
    const scale = page.getByText(/^[\d,]+ k?m$/);
    const middle = async (): Promise<{ x: number; y: number }> => {
      const box = (await pill.locator('span').first().boundingBox())!;
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    let from = await middle();
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x + 40, from.y + 30, { steps: 4 });
    await page.mouse.up();
    await vi.waitFor(async () => expect((await middle()).x - from.x).toBeGreaterThan(25), { timeout: 10_000 });
    expect(new URL(page.url()).searchParams.get('lamp'), 'a drag opens nothing').toBeNull();

    from = await middle();
    const before = await scale.textContent();
    await page.mouse.move(from.x, from.y);
    await vi.waitFor(
      async () => {
        await page.mouse.wheel(0, -300);
        expect(await scale.textContent(), 'the wheel zooms').not.toBe(before);
      },
      { timeout: 10_000 },
    );

    // Chosen by its address the lamp is shown from near, clear of the panel and the drawer.
    await page.goto(`${new URL(page.url()).origin}/lamp/monitor?lamp=${cast.sound.id}`);
    const ring = page.locator('svg[viewBox="-24 -24 48 48"]');
    const drawer = page.getByRole('complementary', { name: cast.sound.code });
    const panel = page.getByRole('region', { name: '查询条件' });
    await vi.waitFor(
      async () => {
        const [at, right, left] = [await ring.boundingBox(), await drawer.boundingBox(), await panel.boundingBox()];
        expect(await scale.textContent()).toMatch(/^(?:20|50|100) m$/);
        expect(at!.x).toBeGreaterThan(left!.x + left!.width);
        expect(at!.x + at!.width).toBeLessThan(right!.x);
      },
      { timeout: 20_000 },
    );
    await page.close();
  });
});

describe.concurrent('one lamp', () => {
  it('is dimmed with the slider and confirmed by its own reading', async ({ expect }) => {
    const lamp = cast.sound;
    const { page, drawer, chosen } = await inTurn(async () => {
      const opened = await openDrawer(lamp);
      const slider = opened.drawer.getByRole('slider').first();
      await slider.focus();
      for (let step = 0; step < 4; step += 1) await opened.page.keyboard.press('PageDown');
      const level = Number(await slider.inputValue());
      await opened.drawer.getByRole('button', { name: '下发' }).click();
      return { ...opened, chosen: level };
    });
    expect(chosen).toBeLessThan(100);
    await drawer
      .getByText(/，相符/)
      .first()
      .waitFor();
    expect(await lastCommand(lamp)).toMatchObject({
      item: { state: 'confirmed', proof: { level: expect.closeTo(chosen, 0) as number } },
    });
    await waitUntil('the list to show it', async () => (await again(lamp.code))?.state === 'dimmed');
    await drawer.getByText(/手动中/).waitFor();
    await inTurn(async () => {
      await expectAccessible(page, 'lamp drawer with a confirmed command');
      await drawer.getByRole('button', { name: '按方案' }).click();
    });
    await waitUntil('the lamp to follow its programme again', async () => (await again(lamp.code))?.state === 'on');
    await page.context().close();
  }, 240_000);

  it('that does not answer is timed out, never called done', async ({ expect }) => {
    const lamp = cast.silent;
    const before = await lastCommand(lamp);
    const { page, drawer, proven } = await inTurn(async () => {
      const opened = await openDrawer(lamp);
      // What was proven in better days stays.
      const kept = await opened.drawer.getByText(/，相符/).count();
      await opened.drawer.getByRole('button', { name: '开灯', exact: true }).click();
      return { ...opened, proven: kept };
    });
    await waitUntil(
      'its time to be over',
      async () => {
        const last = await lastCommand(lamp);
        return last?.id !== before?.id && last?.item.state === 'timedOut';
      },
      80,
    );
    await drawer
      .getByText(/应答超时|没有送达设备/)
      .first()
      .waitFor({ timeout: 80_000 });
    expect(await lastCommand(lamp)).toMatchObject({ item: { state: 'timedOut', proof: null } });
    expect(await drawer.getByText(/，相符/).count()).toBe(proven);
    await page.context().close();
  }, 240_000);

  it('with a stuck relay acknowledges and is never confirmed', async () => {
    const lamp = cast.stuck;
    const { page, drawer } = await inTurn(async () => {
      const opened = await openDrawer(lamp);
      await opened.drawer.getByRole('button', { name: '关灯' }).click();
      return opened;
    });
    await waitUntil('the acknowledgement', async () => (await lastCommand(lamp))?.item.state === 'acknowledged');
    await drawer.getByText(/最多再等/).waitFor();
    await drawer
      .getByText(/回读不符/)
      .first()
      .waitFor({ timeout: 80_000 });
    await waitUntil('its time to be over', async () => (await lastCommand(lamp))?.item.state === 'timedOut', 80);
    await page.context().close();
  }, 240_000);
});

/** The road's lamps are dimmed in the dialog; the page with the panel of the task, and the task. */
async function sendToRoad() {
  const page = await city.open(browser, '/lamp/monitor?view=list');
  await page.getByRole('button', { name: '按道路、分组控制' }).click();
  const dialog = page.getByRole('dialog');
  await expectAccessible(page, 'command dialog');
  await dialog.getByRole('combobox', { name: '请选择' }).fill(cast.roadName);
  await page.locator('.ant-select-item-option').filter({ hasText: cast.roadName }).first().click();
  const sent = page.waitForResponse(
    (reply) => reply.request().method() === 'POST' && reply.url().endsWith('/api/v1/commands'),
  );
  await dialog.getByRole('button', { name: /下发给/ }).click();
  const { id } = (await (await sent).json()) as { id: number };
  const panel = page.getByRole('complementary');
  await panel.getByText('逐盏结果').waitFor();
  return { page, panel, id };
}

describe.concurrent('a road', () => {
  it('is dimmed at once; the task shows each lamp’s outcome, failures first', async ({ expect }) => {
    const { page, panel, id } = await inTurn(sendToRoad);

    // A weak link may lose a command for good: then the task says so, and the lamp is what its readings say.
    let items: Item[] = [];
    await waitUntil(
      'every lamp of the road to have an end',
      async () => {
        const task = await city.admin.get<{ finished: boolean; items: Item[] }>(`/api/v1/commands/${id}?size=1000`);
        items = task.items;
        return task.finished;
      },
      200,
    );
    const confirmed = items.filter((item) => item.state === 'confirmed');
    expect(confirmed.length).toBeGreaterThan(0);
    expect(confirmed.every((item) => Math.round(item.proof?.level ?? 0) === 60)).toBe(true);
    expect(items.filter((item) => item.state !== 'confirmed' && item.error === null)).toEqual([]);
    // A reading proves a command when it is stored; states of lamps are judged after that.
    let sound: LampRow[] = [];
    await waitUntil('every sound lamp of the road to be shown as it is', async () => {
      const rows = await lampsOf(city.admin, `roadIds=${cast.roadId}`);
      sound = rows.filter((row) => row.fault === null && confirmed.some((item) => item.deviceId === row.id));
      return sound.every((row) => row.state === 'dimmed' && Math.round(row.level ?? 0) === 60);
    });
    expect(sound.length).toBeGreaterThan(0);

    await panel
      .getByText(/已结束|全部确认/)
      .first()
      .waitFor();
    const listed = await panel.getByRole('listitem').getByRole('button').allTextContents();
    const failed = new Set(
      items.filter((item) => ['failed', 'timedOut', 'expired'].includes(item.state)).map((item) => item.code),
    );
    expect(new Set(listed.slice(0, failed.size))).toEqual(failed);
    await inTurn(() => expectAccessible(page, 'task panel'));
    await page.context().close();
  }, 300_000);
});
