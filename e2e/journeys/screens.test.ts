import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, expectContrast, openBrowser, untilQuiet } from '../fixtures/browser.ts';
import { expectSeenFocus } from '../fixtures/focus.ts';
import { smallTargetsOf } from '../fixtures/targets.ts';
import { lampsOf, startCity, waitUntil, type City } from '../fixtures/city.ts';
import { showPastNight } from '../fixtures/past-night.ts';
import { planDialogs } from '../fixtures/plan-dialogs.ts';
import { expectTranslated, hearData } from '../fixtures/translated.ts';

/** Each screen and its heading: a lost route or a refusal has another one. */
const deviceLists = {
  '/lamp/central-controllers': '集控管理',
  '/pole/poles': '灯杆管理',
  '/asset/single-lamp-controllers': '单灯控制器',
};
/** Records without a status: fifty rows show nothing that ten do not. */
const plainLists = {
  '/asset/work-areas': '项目',
  '/asset/roads': '道路',
  '/asset/loops': '回路',
  '/asset/groups': '设备分组',
};
const statusLists = { '/asset/channels': '通道', '/asset/dictionary-items': '字典项' };
const lists = { ...deviceLists, ...plainLists, ...statusLists };
const devices = {
  '/lamp/history': '历史曲线',
  '/pole/security-cameras': '安防摄像机管理',
  '/asset/imports': '导入',
  '/asset/map': '设备地图',
  '/asset/statistics': '资产统计',
  '/asset/connections': '连接日志',
  '/lamp/commands': '控制任务',
  '/lamp/approvals': '控制审批',
  '/lamp/templates': '工作参数模板',
  '/lamp/template/1': '单灯控制器标准参数',
  '/lamp/schemes': '节能方案',
  '/lamp/template/1?tab=fallback': '单灯控制器标准参数',
  '/lamp/rows': '灯序',
  '/lamp/publications': '方案发布',
  '/lamp/publish': '发布方案',
  '/lamp/publication/1': /第 1 版/,
  '/lamp/scheme/1': '主干道节能方案',
  '/lamp/scheme/1?tab=calendar': '主干道节能方案',
  '/lamp/exceptions': '临时例外',
  '/lamp/nights': '每晚核验',
  '/lamp/schedule': '时间表设置',
  '/lamp/polls': '巡测',
  '/asset/topology': '供电与通信',
  '/asset/connect': '接入设备',
  '/asset/inbox': '待接入设备',
};
const system = {
  '/system/user-management': '用户管理',
  '/system/user-add': '新增用户',
  '/system/role-management': '角色管理',
  '/system/role-add': '新增角色',
  '/system/workgroup-management': '工作组管理',
  '/system/workgroup-add': '新增工作组',
  '/system/organization-management': '组织管理',
  '/system/logging-login': '登录日志',
  '/system/logging-operation': '操作日志',
  '/system/async-routes-config': '菜单配置',
  '/system/login-appearance': '登录页设置',
  '/system/base-maps': '底图设置',
  '/system/storage': '历史数据存储',
  '/system/command-policy': '命令规则',
  '/system/health': '系统健康',
};
/** With ten rows. */
const short = (of: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(of).map(([path, heading]) => [`${path}?size=10`, heading]));
/** Their answers, so that they can be made to fail. */
const systemCalls =
  /\/api\/(?:tbUsers\?|cscpRolesCreators|cscpWorkGroups|system\/cscpLog|system\/menu\/getMenu|system\/cscpOrgs\/all|v1\/login-appearances|v1\/base-map-settings|v1\/command-settings|v1\/history\/storage|v1\/system-health)/;
const monitor = '单灯监控';
/** The views of the monitor are one page: between them stand others, so that each is opened anew. */
const listScreens = {
  '/home': /夜班$/,
  '/lamp/monitor': monitor,
  ...deviceLists,
  ...short(plainLists),
  ...statusLists,
};
const otherScreens = {
  '/lamp/monitor?view=list': monitor,
  ...devices,
  '/lamp/monitor?view=list&q=zzzz': monitor,
  ...system,
  '/maptest': '地图服务测试',
  '/self-edit': '个人中心',
  '/no/such/page': '没有这个页面',
};
/** What lamps do by plan, its lists and single ones; what reads them can be made to fail. */
const planCalls =
  /\/api\/v1\/(?:schemes|work-parameter-templates|publications|plan-exceptions|plan-nights|row-roads)(?:[/?]|$)/;
const failing = {
  '/home': '今夜值班',
  '/lamp/monitor': monitor,
  // Plain lists fail by the same parts.
  ...deviceLists,
  ...statusLists,
  '/lamp/schemes': '节能方案',
  '/lamp/scheme/1': '节能方案',
  '/lamp/publications': '方案发布',
  '/lamp/publication/1': '发布',
  '/lamp/exceptions': '临时例外',
  '/lamp/night/2026-11-23': '一晚核验',
  '/lamp/rows': '灯序',
  '/lamp/monitor?view=list': monitor,
  ...Object.fromEntries(Object.entries(system).filter(([path]) => !path.endsWith('-add'))),
};
const failure = {
  status: 500,
  contentType: 'application/problem+json',
  body: JSON.stringify({ code: 1901, status: 500, title: '失败', message: '失败', requestId: 'e2e' }),
};

/** Pages of the menu that show what the server answers, beside the lists above. */
const menuScreens = {
  '/asset/statistics': '资产统计',
  '/asset/connections': '连接日志',
  '/asset/topology': '供电与通信',
  '/lamp/commands': '控制任务',
  '/lamp/templates': '工作参数模板',
  '/lamp/schemes': '节能方案',
  '/lamp/publications': '方案发布',
  '/lamp/exceptions': '临时例外',
  '/lamp/nights': '每晚核验',
  '/lamp/polls': '巡测',
  '/system/user-management': '用户管理',
  '/system/role-management': '角色管理',
  '/system/workgroup-management': '工作组管理',
  '/system/organization-management': '组织管理',
  '/system/logging-login': '登录日志',
  '/system/logging-operation': '操作日志',
  '/system/health': '系统健康',
};

const inFrench = {
  '/lamp/templates': 'Modèles de paramètres',
  '/lamp/template/1': '单灯控制器标准参数',
  '/lamp/schemes': 'Plans d’économie',
  '/lamp/scheme/1': '主干道节能方案',
  '/lamp/scheme/1?tab=calendar': '主干道节能方案',
  '/lamp/publications': 'Publications',
  '/lamp/publish': 'Publier',
  '/lamp/publication/1': /主干道节能方案/,
  '/lamp/exceptions': 'Exceptions temporaires',
  '/lamp/nights': 'Contrôle des nuits',
  '/lamp/rows': 'Rangées de mâts',
  '/lamp/schedule': 'Réglage de l’horaire',
};

/** Targets under 24 px of the pages of a walk: all of them are said at once. */
const small = new Set<string>();
afterEach(() => {
  const found = [...small];
  small.clear();
  expect(found).toEqual([]);
});

let browser: Browser;
let city: City;
beforeAll(async () => {
  [browser, city] = await Promise.all([openBrowser(), startCity(200)]);
});
afterAll(async () => {
  await browser?.close();
  await city?.product.stop();
});

/**
 * Shows another page of the loaded console, as its links do, and closes the one before: loading the console takes as
 * long as all that is looked at.
 */
async function visit(page: Page, path: string, heading: string | RegExp): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate', { state: null }));
  }, path);
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
  // The page itself, where its title stood before its code was there.
  await page.locator('[data-page-soon]').filter({ visible: true }).first().waitFor({ state: 'detached' });
  await page
    .locator('[data-tab-strip] li:not(:has([aria-current])) button')
    .evaluateAll((closers) => closers.forEach((closer) => (closer as HTMLElement).click()));
}

/**
 * Every rule in the light, and in the dark what may differ there: colours. The console follows the system's wish, so
 * nothing is loaded again; it begins with the theme it has.
 */
async function expectGood(page: Page, what: string): Promise<void> {
  await untilQuiet(page);
  (await smallTargetsOf(page)).forEach((target) => small.add(`${what}: ${target}`));
  const isDark = (await page.locator('html[data-theme="dark"]').count()) > 0;
  for (const theme of isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const)) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.locator(`html[data-theme="${theme}"]`).waitFor();
    await (theme === 'light' ? expectAccessible : expectContrast)(page, `${what}, ${theme}`);
  }
}

/** The difference of a year that a scheme makes, when it is there: the number of the simulation. */
async function simulated(): Promise<number> {
  const { id } = await city.admin.send<{ id: number }>('POST', '/api/v1/plan-simulations', {
    ...{ scope: {}, from: '2026-11-01', to: '2027-10-31', b: { schemeId: 1, number: 1 } },
    ...{ pricePerKwh: 0.6, kgCo2PerKwh: 0.5 },
  });
  await waitUntil('the simulation', async () => {
    const { result } = await city.admin.get<{ result: unknown }>(`/api/v1/plan-simulations/${id}`);
    return result !== null;
  });
  return id;
}

/** One after the other: side by side they only wait for each other's processor, and each has its time. */
describe('the screens', () => {
  it.each([
    ['home, map and lists', listScreens],
    ['devices, plans and system', otherScreens],
  ])(
    'are accessible with data and empty, each under an address of its own: %s',
    async (_which, screens) => {
      const page = await city.open(browser, '/self-edit');
      const load = async (path: string) =>
        (await fetch(city.product.url + path, { headers: { accept: 'text/html' } })).text();
      const console = await load('/home');
      for (const [path, heading] of Object.entries<string | RegExp>(screens)) {
        expect(await load(path), path).toBe(console);
        await visit(page, path, heading);
        await expectGood(page, path);
      }
      await page.context().close();
    },
    300_000,
  );

  it('have their title and the place of what comes before any answer', async () => {
    const page = await city.open(browser, '/self-edit');
    await untilQuiet(page);
    // Held, never answered: the context's end takes them along.
    await page.route('**/api/**', () => undefined);
    const bare: string[] = [];
    for (const [path, heading] of Object.entries({ ...deviceLists, ...plainLists, ...statusLists, ...menuScreens })) {
      await visit(page, path, heading);
      const place = page.locator(`[data-tab="${path}"]`).getByRole('status').filter({ visible: true });
      if (
        !(await place
          .first()
          .waitFor({ timeout: 5_000 })
          .then(
            () => true,
            () => false,
          ))
      )
        bare.push(path);
    }
    expect(bare).toEqual([]);
    await page.context().close();
  }, 300_000);

  it('show the focus at each of sixty steps of Tab: home, a list, the monitor, a form', async () => {
    const page = await city.open(browser, '/home');
    const steps = 60;
    for (const [path, heading] of [
      ['/home', /夜班$/],
      ['/asset/single-lamp-controllers?size=10', '单灯控制器'],
      ['/lamp/monitor', monitor],
      ['/system/user-add', '新增用户'],
    ] as const) {
      await visit(page, path, heading);
      await untilQuiet(page);
      await expectSeenFocus(page, path, steps);
    }
    await page.context().close();
  }, 180_000);

  it('ask little: a quiet home at most four times in half a minute', async () => {
    const page = await city.open(browser, '/home');
    const announced: string[] = [];
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        announced.push((JSON.parse(String(payload)) as { type: string }).type);
      }),
    );
    let asked: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/')) asked.push(pathname);
    });
    await page.reload();
    await page.getByRole('slider').waitFor();
    await page.getByRole('heading', { name: '需要处理' }).waitFor();
    const most: Readonly<Record<string, number>> = {
      '/api/v1/home': 2,
      '/api/v1/home/changes': 1,
      '/api/v1/home/map': 1,
      // The session's own, once a minute.
      '/api/system/refreshToken': 1,
    };
    // A half minute in which nothing happens but to lamps: what the server announces beside them, also that it was too
    // busy to announce all, is asked for at once or within ten seconds.
    const isQuiet = (types: readonly string[]): boolean =>
      types.every((type) => ['home', 'lamps', 'pong'].includes(type));
    let heard = 0;
    let half: readonly string[] = [];
    for (let tries = 0; tries < 5; tries += 1) {
      do {
        [asked, heard] = [[], announced.length];
        await page.waitForTimeout(12_000);
      } while (asked.some((path) => most[path] === undefined) || !isQuiet(announced.slice(heard)));
      [asked, heard] = [[], announced.length];
      await page.waitForTimeout(30_000);
      half = announced.slice(heard);
      if (isQuiet(half)) break;
    }
    expect(
      half.filter((type) => !isQuiet([type])),
      'announced in the last half minute',
    ).toEqual([]);
    expect(announced).toContain('welcome');
    const count = (path: string): number => asked.filter((one) => one === path).length;
    const tooOften = [...new Set(asked)].filter((path) => count(path) > (most[path] ?? 0));
    expect(tooOften, asked.join()).toEqual([]);
    await page.context().close();
  }, 300_000);

  it('are accessible when the server fails', async () => {
    const page = await city.open(browser, '/self-edit');
    await page.route('**/api/v1/{home,lamps,devices,records}**', (route) => route.fulfill(failure));
    await page.route(planCalls, (route) => route.fulfill(failure));
    await page.route(systemCalls, (route) => route.fulfill(failure));
    for (const [path, heading] of Object.entries(failing)) {
      await visit(page, path, heading);
      await page.getByRole('main').getByText('e2e').filter({ visible: true }).first().waitFor();
      await expectGood(page, `${path} failing`);
    }
    await page.context().close();
  }, 300_000);

  it('are accessible with their forms, details and the settings open', async () => {
    const page = await city.open(browser, '/home');
    // The rows behind a form were looked at without it.
    for (const [path, heading] of Object.entries(short(lists))) {
      await visit(page, path, heading);
      await page.getByRole('button', { name: '新增' }).first().click();
      await page.getByRole('dialog').first().waitFor();
      await expectGood(page, `${path} form`);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').first().waitFor({ state: 'hidden' });
    }
    for (const { path, heading, button, ready } of await planDialogs(page, city.admin)) {
      await visit(page, path, heading);
      await page.getByRole('button', { name: button, exact: true }).first().click();
      const dialog = page.getByRole('dialog').first();
      await ready(dialog).first().waitFor();
      await expectGood(page, `${path} ${button}`);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
    }
    const [lamp] = await lampsOf(city.admin, 'states=on');
    const {
      data: [pole],
    } = await city.admin.get<{ data: { id: number; equipmentCode: string }[] }>(
      '/api/v1/devices?family=lamp-pole&size=1',
    );
    const simulation = await simulated();
    const night = await showPastNight(page);
    for (const [path, code] of [
      [night, '2026年11月23日'],
      [`/lamp/scheme/1?tab=simulation&simulation=${simulation}`, '主干道节能方案'],
      [`${night}?part=rehearsal`, '2026年11月23日'],
      [`/lamp/device/${lamp?.id}`, lamp?.code],
      // Not the head of the page before, which has the same code.
      [`/lamp/schedule?lamp=${lamp?.id}`, `时间表设置.*${lamp?.code}`],
      [`/pole/${pole?.id}`, pole?.equipmentCode],
      [`/device/${lamp?.id}`, lamp?.code],
    ]) {
      await visit(page, path ?? '', new RegExp(code ?? 'no device'));
      await expectGood(page, path ?? '');
    }
    await page.getByRole('button', { name: '设置' }).first().click();
    await page.getByText('设置跟随账号保存').waitFor();
    await expectGood(page, 'settings');
    await page.context().close();
  }, 300_000);

  it('have the pages of plans in French, nothing of it cut, and no Chinese but what people wrote', async () => {
    const page = await city.open(browser, '/self-edit', { language: 'fr_FR' });
    const data = hearData(page);
    for (const [path, heading] of Object.entries<string | RegExp>(inFrench)) {
      await visit(page, path, heading);
      await untilQuiet(page);
      await expectTranslated(page, path, data);
    }
    await page.context().close();
  }, 300_000);
});
