import type { Page } from 'playwright-core';

/** One screen as it is photographed. `prepare` brings it into the state; the picture is taken when it resolves. */
export interface Scene {
  readonly name: string;
  readonly path: string;
  /** false: taken before sign-in. */
  readonly signedIn: boolean;
  readonly prepare?: (page: Page) => Promise<void>;
}

const settled = async (page: Page) => {
  await page.waitForLoadState('networkidle').catch(() => undefined);
  await page.waitForTimeout(1500);
};
/** Opens the first lamp of the list beside it; answers with its id. */
const openFirstLamp = async (page: Page): Promise<string> => {
  await settled(page);
  await page.locator('tbody button').first().click();
  await page.waitForURL(/[?&]lamp=\d+/);
  await page.waitForTimeout(2000);
  return new URL(page.url()).searchParams.get('lamp') ?? '';
};
const refuseCalls = (pattern: string, status: number) => async (page: Page) => {
  await page.route(pattern, (route) => route.fulfill({
    status, contentType: 'application/problem+json',
    body: JSON.stringify({ title: '服务暂时不可用', message: '服务暂时不可用', msg: '服务暂时不可用', status, code: 1901, requestId: '8f3c21a9' }),
  }));
  await page.reload();
  await settled(page);
};

export const scenes: readonly Scene[] = [
  { name: 'sign-in', path: '/login', signedIn: false, prepare: settled },
  {
    name: 'sign-in-error', path: '/login', signedIn: false,
    async prepare(page) {
      await settled(page);
      await page.locator('input[autocomplete=username]').fill('admin');
      await page.locator('input[autocomplete=current-password]').fill('wrong');
      await page.keyboard.press('Enter');
      await page.waitForTimeout(1500);
    },
  },
  { name: 'home', path: '/home', signedIn: true, prepare: settled },
  { name: 'home-error', path: '/home', signedIn: true, prepare: refuseCalls('**/api/v1/home**', 500) },
  { name: 'lamp-monitor', path: '/lamp/monitor', signedIn: true, prepare: async (page) => { await settled(page); await page.waitForTimeout(2500); } },
  { name: 'lamp-monitor-list', path: '/lamp/monitor?view=list', signedIn: true, prepare: settled },
  { name: 'lamp-drawer', path: '/lamp/monitor?view=list&states=on', signedIn: true, prepare: async (page) => { await openFirstLamp(page); } },
  {
    name: 'lamp-device', path: '/lamp/monitor?view=list&states=on', signedIn: true,
    async prepare(page) {
      await page.goto(new URL(`/lamp/device/${await openFirstLamp(page)}`, page.url()).href);
      await settled(page);
    },
  },
  { name: 'lamp-monitor-empty', path: '/lamp/monitor?view=list&q=zzzz', signedIn: true, prepare: settled },
  { name: 'lamp-monitor-error', path: '/lamp/monitor?view=list', signedIn: true, prepare: refuseCalls('**/api/v1/lamps?**', 500) },
  { name: 'central-controllers', path: '/lamp/central-controllers', signedIn: true, prepare: settled },
  { name: 'poles', path: '/pole/poles', signedIn: true, prepare: settled },
  { name: 'single-lamp-controllers', path: '/asset/single-lamp-controllers', signedIn: true, prepare: settled },
  { name: 'roads', path: '/asset/roads', signedIn: true, prepare: settled },
  { name: 'work-areas', path: '/asset/work-areas', signedIn: true, prepare: settled },
  { name: 'groups', path: '/asset/groups', signedIn: true, prepare: settled },
  { name: 'users', path: '/system/user-management', signedIn: true, prepare: settled },
  { name: 'users-new', path: '/system/user-management?form=new', signedIn: true, prepare: settled },
  { name: 'users-sessions', path: '/system/user-management?open=1', signedIn: true, prepare: settled },
  { name: 'profile', path: '/self-edit', signedIn: true, prepare: settled },
  { name: 'not-found', path: '/no/such/page', signedIn: true, prepare: settled },
];
