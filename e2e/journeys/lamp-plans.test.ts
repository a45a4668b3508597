import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Period, Programme } from '../../catalogue/lighting/plan/programme.ts';
import type { SchemeContent } from '../../catalogue/lighting/plan/scheme.ts';
import { expectAccessible } from '../fixtures/browser.ts';
import { waitUntil } from '../fixtures/city.ts';
import { eveningDay, moveBefore, type Switch } from '../fixtures/evening.ts';
import { choose, pressByKey, reach, write } from '../fixtures/keyboard.ts';
import { startOffice, type Office } from '../fixtures/office.ts';
import { startStreet, type Street } from '../fixtures/street.ts';

/**
 * A scheme from nothing to proof and back, on a street of the demo city. When the lamps of an act are told, the demo evening is
 * moved to shortly before a switch that shows it.
 */
let office: Office;
let street: Street;
/** What the street followed before: its publication. */
let former: number;
let published: number;
/** The scheme that the operator makes. */
let schemeId: number;

const minuteMs = 60_000;

type Phase = 'done' | 'judging' | 'reverted';
interface Publication {
  readonly phase: Phase;
  readonly states: Readonly<Record<string, number>>;
  readonly judged: { readonly passed: boolean } | null;
  readonly revertedBy: number | null;
}
const publication = (id: number) => office.admin.get<Publication>(`/api/v1/publications/${id}`);
const proven = async (id: number): Promise<boolean> => {
  const { phase, states } = await publication(id);
  return phase === 'done' && states['proven'] === street.lamps.length;
};

type Step = Switch & { readonly level: number };
/** Steps after the first period, which is at full level: by the sun, an hour or so before midnight, and by the clock. */
const formerSteps: readonly Step[] = [
  { at: 'sunset', offsetMinutes: 240, level: 70 },
  { at: '23:00', offsetMinutes: 0, level: 60 },
];
/** Darker from its first step on than what the street followed before, by more than a reading may be off. */
const steps: readonly Step[] = [
  { at: 'sunset', offsetMinutes: 200, level: 50 },
  { at: '22:30', offsetMinutes: 0, level: 30 },
];
/** When every lamp of a publication that is asked now was told. */
async function moveEvening(id: number, switches: readonly Switch[], left = 0): Promise<void> {
  await waitUntil('the lamps to be told', async () => {
    const { states } = await publication(id);
    return (states['pending'] ?? 0) === 0 && (states['waiting'] ?? 0) === left;
  });
  await moveBefore(office.admin, street.place, switches);
}

const anchor = { offsetMinutes: 0, notBefore: null, notAfter: null, light: null } as const;
function programmeOf(dimmed: readonly Step[]): Programme {
  const first: Period = { start: 'on', level: 100, pattern: 'all', rampSeconds: 0 };
  const periods = dimmed.map(({ level, ...start }): Period => ({ ...first, start, level }));
  return {
    on: { at: 'sunset', ...anchor },
    off: { at: 'sunrise', ...anchor },
    periods: [first, ...periods],
    minimumMinutes: 10,
  };
}

beforeAll(async () => {
  office = await startOffice({ DEMO: 'on', DEMO_LAMPS: '100' });
  street = await startStreet(office, 4);
  former = await publishFormer();
});
afterAll(async () => {
  street?.stop();
  await office?.close();
});

/** The street has a scheme, which its lamps prove while another one is made. */
async function publishFormer(): Promise<number> {
  const { admin } = office;
  const content: SchemeContent = {
    mode: 'energySaving',
    programmes: [{ key: 1, name: '平日', programme: programmeOf(formerSteps) }],
    calendar: { rules: [], default: 1 },
    rotation: 'weekly',
    floorExceptions: [],
  };
  const { id, version } = await admin.send<{ id: number; version: number }>('POST', '/api/v1/schemes', {
    ...{ code: 'HW-01', name: '海湾原方案', workAreaId: street.workAreaId },
  });
  const saved = await admin.send<{ version: number }>('PUT', `/api/v1/schemes/${id}/draft`, { version, content });
  await admin.send('POST', `/api/v1/schemes/${id}/versions`, { version: saved.version });
  const made = await admin.send<{ id: number }>('POST', '/api/v1/publications', {
    ...{ schemeId: id, scope: { roadIds: [street.roadId] }, canary: null, acceptedFindings: ['darker'] },
    ...{ effectiveFrom: await eveningDay(admin, street.place), reason: '原方案' },
  });
  await moveEvening(made.id, formerSteps);
  return made.id;
}

/** Enters the steps of a programme, the first period is there. */
async function enterSteps(page: Page): Promise<void> {
  for (const [index, { at, offsetMinutes, level }] of steps.entries()) {
    await pressByKey(page, page.getByRole('button', { name: '添加时段' }));
    // What was added has the focus: its time.
    const n = index + 2;
    const time = page.getByRole('textbox', { name: new RegExp(`^时段 ${n}：开始：时刻`) });
    await reach(page, time);
    if (at === 'sunset') {
      await page.keyboard.press('Shift+Tab');
      await choose(page, '日落');
      await reach(page, page.getByRole('spinbutton', { name: new RegExp(`^时段 ${n}：开始：提前`) }));
      await write(page, String(offsetMinutes));
    } else await write(page, at);
    await reach(page, page.getByRole('spinbutton', { name: `时段 ${n}：亮度` }));
    await write(page, String(level));
  }
}

it('a scheme with two programmes and a calendar is made and frozen by keyboard alone', async () => {
  const page = await office.open('/lamp/schemes');
  await page.getByRole('button', { name: '新建方案' }).first().waitFor();
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog');
  await reach(page, dialog.getByLabel(/^编号/));
  await write(page, 'HW-02');
  await reach(page, dialog.getByLabel(/^名称/));
  await write(page, '海湾深夜减光');
  await reach(page, dialog.getByRole('combobox'));
  await choose(page, '滨江新区');
  await pressByKey(page, dialog.getByRole('button', { name: '建立' }));
  await page.getByRole('heading', { level: 1, name: '海湾深夜减光' }).waitFor();

  await reach(page, page.getByLabel(/^时段表名称/));
  await write(page, '平日');
  await enterSteps(page);
  await pressByKey(page, page.getByRole('button', { name: '复制' }), 'Shift+Tab');
  await reach(page, page.getByLabel(/^时段表名称/), 'Shift+Tab');
  await write(page, '节日');
  await expectAccessible(page, 'the editor of a scheme with two programmes');

  await reach(page, page.getByRole('radiogroup', { name: '页签' }), 'Shift+Tab');
  await page.keyboard.press('ArrowRight');
  await pressByKey(page, page.getByRole('button', { name: '添加规则' }));
  await reach(page, page.getByLabel(/^名称/));
  await write(page, '周末');
  await reach(page, page.getByRole('combobox', { name: '什么时候' }));
  await choose(page, '星期');
  await page.getByRole('grid').or(page.getByRole('table')).first().waitFor();
  await expectAccessible(page, 'the calendar of a scheme');

  await pressByKey(page, page.getByRole('button', { name: '定稿' }));
  const freeze = page.getByRole('dialog');
  await reach(page, freeze.getByRole('textbox'));
  await write(page, '第一稿');
  await pressByKey(page, freeze.getByRole('button', { name: '定稿' }));
  await page.getByText('最新：第 1 版').waitFor();
  schemeId = Number(new URL(page.url()).pathname.split('/').at(-1));
  const { content } = await office.admin.get<{ content: SchemeContent }>(`/api/v1/schemes/${schemeId}/versions/1`);
  expect(content.programmes.map(({ name, programme: { periods } }) => [name, periods.length])).toEqual([
    ['平日', 3],
    ['节日', 3],
  ]);
  expect(content.calendar.rules).toMatchObject([{ label: '周末', programme: 2, when: [{ kind: 'weekdays' }] }]);
  await office.leave(page);
}, 240_000);

it('its version is published to one road, and its first lamp proves it at a planned switch', async () => {
  await waitUntil('the former scheme to be proven', () => proven(former), 240);
  const page = await office.open(`/lamp/scheme/${schemeId}`);
  await page.getByText('最新：第 1 版').waitFor();
  await page.keyboard.press('p');
  await page.getByRole('heading', { level: 1, name: '发布方案' }).waitFor();
  await page.getByRole('combobox', { name: '道路' }).fill(street.roadName);
  await page.locator('.ant-select-item-option').filter({ hasText: street.roadName }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: '从哪一夜起' }).click();
  await page.locator('.ant-select-item-option').filter({ hasText: '今夜就换' }).click();
  await page.getByText('按盏数').click();
  await page.getByRole('spinbutton', { name: '先试多少' }).fill('1');
  await page.getByRole('checkbox', { name: /4 盏比现在暗/ }).check();
  await expectAccessible(page, 'the form of a publication, filled in');
  await page.getByRole('button', { name: '发布到 4 盏' }).click();
  await page.getByRole('heading', { level: 1, name: /海湾深夜减光 第 1 版/ }).waitFor();
  published = Number(new URL(page.url()).pathname.split('/').at(-1));
  await moveEvening(published, steps, 3);
  await page.getByText('先试通过，等您决定是否继续').waitFor({ timeout: 400_000 });
  expect((await publication(published)).states).toEqual({ proven: 1, waiting: 3 });
  await expectAccessible(page, 'a publication whose first part passed');
  await office.leave(page);
}, 600_000);

it('goes on to the rest when a person says so, and every lamp proves it', async () => {
  const page = await office.open(`/lamp/publication/${published}`);
  await page.getByRole('button', { name: '继续', exact: true }).click();
  await page.getByRole('button', { name: '继续，下发给 3 盏' }).click();
  await moveEvening(published, steps);
  await page.getByText('4 盏里 4 盏已证明').first().waitFor({ timeout: 400_000 });
  await waitUntil('the publication to be done', () => proven(published));
  await office.leave(page);
}, 600_000);

it('says the difference to before, is taken back, and the former plan is proven again', async () => {
  const page = await office.open(`/lamp/publication/${published}`);
  await page.getByRole('button', { name: '撤回', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox', { name: /我确认这 4 盏/ }).check();
  await dialog.getByRole('textbox', { name: /^原因/ }).fill('居民说太暗');
  await dialog.getByRole('button', { name: '撤回 4 盏' }).click();
  await page.getByRole('heading', { level: 1, name: `撤回发布 #${published}` }).waitFor();
  const revert = Number(new URL(page.url()).pathname.split('/').at(-1));
  await moveEvening(revert, formerSteps);

  // While the next switch comes: what the scheme would make of a year of what the lamps follow again.
  const other = await office.open(`/lamp/scheme/${schemeId}?tab=simulation`);
  await other.getByRole('button', { name: '开始模拟' }).click();
  await other.getByText(/^B 比 A 少用/).waitFor();
  await expectAccessible(other, 'the difference of a year');
  await office.leave(other);

  await page.getByText('4 盏里 4 盏已证明').first().waitFor({ timeout: 400_000 });
  await waitUntil('the former plan to be proven', () => proven(revert));
  expect(await publication(published)).toMatchObject({ phase: 'reverted', revertedBy: revert });
  await office.leave(page);
}, 600_000);

it('a complaint is answered: the lamp by its road, why it is as it is, and a sentence to send', async () => {
  const [, lamp] = street.lamps;
  if (!lamp) throw new Error('no lamp');
  const page = await office.open('/lamp/monitor?view=list');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('textbox', { name: '灯编号、名称、道路' }).fill(street.roadName);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: lamp.code, exact: true }).click();
  await page.locator('footer').getByRole('button', { name: '打开设备页' }).click();
  await page.getByRole('heading', { level: 1, name: lamp.code }).waitFor();
  const sentence = page.getByRole('region', { name: '可以直接回复的一句话' });
  await sentence.getByText('HW-01').waitFor();
  await sentence.getByRole('button', { name: '复制' }).click();
  await page.getByText('已复制').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(await sentence.locator('p').textContent());
  expect(copied).toContain(lamp.code);
  await expectAccessible(page, 'the page of a lamp with its answer');
  await page.context().clearPermissions();
  await office.leave(page);
}, 120_000);

it('on a phone a lamp says its night, and is on for thirty minutes', async () => {
  const [lamp] = street.lamps;
  if (!lamp) throw new Error('no lamp');
  const page = await office.open(`/lamp/device/${lamp.id}`, { width: 390, height: 844 });
  const night = page.locator('section').filter({ has: page.getByRole('heading', { name: '今夜方案' }) });
  await night.getByText('100%').first().waitFor();
  const control = page.locator('section').filter({ has: page.getByRole('heading', { name: '调光' }) });
  const begun = Date.now();
  await control.getByRole('button', { name: '开 30 分钟' }).click();
  await page.getByText(/^手动中：100%/).waitFor();
  const { data } = await office.admin.get<{ data: { item: { until: string } }[] }>(
    `/api/v1/commands?deviceId=${lamp.id}`,
  );
  const minutes = (Date.parse(data[0]?.item.until ?? '') - begun) / minuteMs;
  expect(minutes).toBeGreaterThan(29);
  expect(minutes).toBeLessThan(31);
  await expectAccessible(page, 'the page of a lamp on a phone');
  await control.getByRole('button', { name: '按方案' }).click();
  await page.getByText(/^手动中：100%/).waitFor({ state: 'detached' });
  await office.leave(page);
}, 120_000);
