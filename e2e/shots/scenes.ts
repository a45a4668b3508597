import type { Page } from 'playwright-core';
import {
  face,
  openCommand,
  openFirstLamp,
  openKnownReason,
  openOrganisations,
  openRoleEdit,
  openUserEdit,
  refuseCalls,
  settled,
} from './steps.ts';

/** One screen as it is photographed. `prepare` brings it into the state; the picture is taken when it resolves. */
export interface Scene {
  readonly name: string;
  readonly path: string;
  /** false: taken before sign-in. */
  readonly signedIn: boolean;
  readonly prepare?: (page: Page) => Promise<void>;
}

export const scenes: readonly Scene[] = [
  { name: 'sign-in', path: '/login', signedIn: false, prepare: settled },
  {
    name: 'sign-in-error',
    path: '/login',
    signedIn: false,
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
  {
    name: 'lamp-monitor',
    path: '/lamp/monitor',
    signedIn: true,
    prepare: async (page) => {
      await settled(page);
      await page.waitForTimeout(2500);
    },
  },
  { name: 'lamp-monitor-list', path: '/lamp/monitor?view=list', signedIn: true, prepare: settled },
  {
    name: 'lamp-drawer',
    path: '/lamp/monitor?view=list&states=on',
    signedIn: true,
    prepare: async (page) => {
      await openFirstLamp(page);
    },
  },
  {
    name: 'lamp-device',
    path: '/lamp/monitor?view=list&states=on',
    signedIn: true,
    async prepare(page) {
      await page.goto(new URL(`/lamp/device/${await openFirstLamp(page)}`, page.url()).href);
      await settled(page);
    },
  },
  {
    name: 'lamp-why',
    path: '/lamp/nights',
    signedIn: true,
    prepare: async (page) => {
      await openKnownReason(page);
      await page.locator('[data-list=night-lamps] tbody button, [data-list=night-lamps] li button').first().click();
      await page.waitForURL(/whyAt=/);
      await settled(page);
      await page
        .locator('h2')
        .filter({ hasText: /为什么|Pourquoi|Why/ })
        .first()
        .evaluate((title) => title.scrollIntoView({ block: 'center' }));
    },
  },
  { name: 'templates', path: '/lamp/templates', signedIn: true, prepare: settled },
  { name: 'template', path: '/lamp/template/1', signedIn: true, prepare: settled },
  { name: 'template-fallback', path: '/lamp/template/1?tab=fallback', signedIn: true, prepare: settled },
  { name: 'template-versions', path: '/lamp/template/1?tab=versions', signedIn: true, prepare: settled },
  { name: 'lamp-rows', path: '/lamp/rows', signedIn: true, prepare: settled },
  { name: 'lamp-row', path: '/lamp/rows?open=1', signedIn: true, prepare: settled },
  { name: 'lamp-monitor-empty', path: '/lamp/monitor?view=list&q=zzzz', signedIn: true, prepare: settled },
  {
    name: 'lamp-monitor-error',
    path: '/lamp/monitor?view=list',
    signedIn: true,
    prepare: refuseCalls('**/api/v1/lamps?**', 500),
  },
  {
    name: 'lamp-schedule',
    path: '/lamp/monitor?view=list&states=on',
    signedIn: true,
    async prepare(page) {
      await page.goto(new URL(`/lamp/schedule?lamp=${await openFirstLamp(page)}`, page.url()).href);
      await settled(page);
    },
  },
  { name: 'command', path: '/lamp/commands', signedIn: true, prepare: openCommand },
  { name: 'approvals', path: '/lamp/approvals', signedIn: true, prepare: settled },
  { name: 'exceptions', path: '/lamp/exceptions', signedIn: true, prepare: settled },
  {
    name: 'exception-new',
    path: '/lamp/exceptions',
    signedIn: true,
    prepare: async (page) => {
      await settled(page);
      await page
        .locator('main button')
        .filter({ hasText: /新建例外|New exception|Nouvelle exception/ })
        .first()
        .click();
      await page.locator('.ant-modal').first().waitFor();
      await settled(page);
    },
  },
  { name: 'nights', path: '/lamp/nights', signedIn: true, prepare: settled },
  {
    name: 'night',
    path: '/lamp/nights',
    signedIn: true,
    prepare: openKnownReason,
  },
  { name: 'schemes', path: '/lamp/schemes', signedIn: true, prepare: settled },
  { name: 'scheme', path: '/lamp/scheme/1', signedIn: true, prepare: settled },
  { name: 'scheme-calendar', path: '/lamp/scheme/1?tab=calendar', signedIn: true, prepare: settled },
  {
    name: 'scheme-simulation',
    path: '/lamp/scheme/1?tab=simulation',
    signedIn: true,
    prepare: async (page) => {
      await settled(page);
      await page.locator('main .ant-btn-primary').last().click();
      await page.locator('main canvas').first().waitFor({ timeout: 240_000 });
      await settled(page);
      await page.locator('main canvas').first().scrollIntoViewIfNeeded();
    },
  },
  { name: 'publications', path: '/lamp/publications', signedIn: true, prepare: settled },
  {
    name: 'publish',
    path: '/lamp/publish?scheme=1',
    signedIn: true,
    prepare: async (page) => {
      await settled(page);
      await page.locator('[id$=-roadIds]').click();
      await page.locator('.ant-select-item-option').first().click();
      await page.keyboard.press('Escape');
      // What it would do is reckoned for a whole year.
      await page.locator('main dl dd').first().waitFor({ timeout: 120_000 });
      await settled(page);
    },
  },
  {
    name: 'publication',
    path: '/lamp/publications',
    signedIn: true,
    prepare: async (page) => {
      await settled(page);
      await page.locator('[data-list=publications] button').first().click();
      await page.locator('[data-list=publication-lamps]').waitFor();
      await page.goto(new URL(`${new URL(page.url()).pathname}?roads=map`, page.url()).href);
      await page.locator('main .maplibregl-canvas').waitFor();
      await settled(page);
      await page.waitForTimeout(2500);
    },
  },
  { name: 'central-controllers', path: '/lamp/central-controllers', signedIn: true, prepare: settled },
  { name: 'poles', path: '/pole/poles', signedIn: true, prepare: settled },
  { name: 'single-lamp-controllers', path: '/asset/single-lamp-controllers', signedIn: true, prepare: settled },
  { name: 'roads', path: '/asset/roads', signedIn: true, prepare: settled },
  { name: 'work-areas', path: '/asset/work-areas', signedIn: true, prepare: settled },
  { name: 'groups', path: '/asset/groups', signedIn: true, prepare: settled },
  { name: 'dictionaries', path: '/asset/dictionaries', signedIn: true, prepare: settled },
  {
    name: 'dictionary-value',
    path: '/asset/dictionary-items?sort=orderby,asc&form=1',
    signedIn: true,
    prepare: settled,
  },
  { name: 'channel-new', path: '/asset/channels?form=new', signedIn: true, prepare: settled },
  {
    name: 'global-search',
    path: '/home',
    signedIn: true,
    prepare: async (page) => {
      await settled(page);
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').first().fill('江南');
      await settled(page);
    },
  },
  { name: 'users', path: '/system/user-management', signedIn: true, prepare: settled },
  { name: 'users-new', path: '/system/user-management?form=new', signedIn: true, prepare: settled },
  { name: 'users-sessions', path: '/system/user-management?open=1', signedIn: true, prepare: settled },
  { name: 'user-add', path: '/system/user-add', signedIn: true, prepare: settled },
  {
    name: 'user-add-problems',
    path: '/system/user-add',
    signedIn: true,
    prepare: async (page) => {
      await settled(page);
      await page.locator('form button[type=submit]').click();
      await page.waitForTimeout(600);
    },
  },
  {
    name: 'user-avatar',
    path: '/system/user-add',
    signedIn: true,
    async prepare(page) {
      await settled(page);
      await page.locator('[id$=imgPath]').click();
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'face.jpg', mimeType: 'image/jpeg', buffer: face() });
      await page.waitForTimeout(900);
    },
  },
  { name: 'user-edit', path: '/home', signedIn: true, prepare: openUserEdit },
  { name: 'role-edit', path: '/home', signedIn: true, prepare: openRoleEdit },
  { name: 'roles', path: '/system/role-management', signedIn: true, prepare: settled },
  { name: 'role-powers', path: '/system/role-management?open=1', signedIn: true, prepare: settled },
  {
    name: 'role-add-problems',
    path: '/system/role-add',
    signedIn: true,
    prepare: async (page) => {
      await settled(page);
      await page.locator('form button[type=submit]').click();
      await page.waitForTimeout(600);
    },
  },
  {
    name: 'menu-configuration',
    path: '/system/async-routes-config',
    signedIn: true,
    async prepare(page) {
      await settled(page);
      await page.locator('[role=treeitem][aria-level="2"]').first().focus();
      await page.keyboard.press('ArrowRight');
      await page.waitForTimeout(500);
    },
  },
  {
    name: 'menu-node',
    path: '/system/async-routes-config',
    signedIn: true,
    async prepare(page) {
      await settled(page);
      await page.locator('[role=treeitem][aria-level="2"]').first().focus();
      await page.keyboard.press('Enter');
      await page.waitForTimeout(800);
    },
  },
  { name: 'organisations', path: '/system/organization-management', signedIn: true, prepare: openOrganisations },
  {
    name: 'organisation-details',
    path: '/system/organization-management',
    signedIn: true,
    async prepare(page) {
      await openOrganisations(page);
      await page.locator('[role=treeitem]').filter({ hasText: '滨江中队' }).first().click();
      await page.waitForTimeout(600);
    },
  },
  {
    name: 'organisation-edit',
    path: '/system/organization-management',
    signedIn: true,
    async prepare(page) {
      await openOrganisations(page);
      await page.locator('[role=treeitem]').filter({ hasText: '滨江中队' }).first().dblclick();
      await page.waitForTimeout(900);
    },
  },
  {
    name: 'organisation-delete',
    path: '/system/organization-management',
    signedIn: true,
    async prepare(page) {
      await openOrganisations(page);
      await page.locator('[role=treeitem]').filter({ hasText: '城东照明所' }).first().focus();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.waitForTimeout(900);
    },
  },
  {
    name: 'organisations-error',
    path: '/system/organization-management',
    signedIn: true,
    prepare: refuseCalls('**/cscpOrgs/all**', 500),
  },
  { name: 'base-maps', path: '/system/base-maps', signedIn: true, prepare: settled },
  { name: 'maptest', path: '/maptest', signedIn: true, prepare: settled },
  { name: 'login-appearance', path: '/system/login-appearance', signedIn: true, prepare: settled },
  { name: 'profile', path: '/self-edit', signedIn: true, prepare: settled },
  { name: 'operation-log', path: '/system/logging-operation', signedIn: true, prepare: settled },
  { name: 'login-log', path: '/system/logging-login', signedIn: true, prepare: settled },
  {
    name: 'login-log-empty',
    path: '/system/logging-login?username=zzzz&status=failure',
    signedIn: true,
    prepare: settled,
  },
  {
    name: 'operation-log-error',
    path: '/system/logging-operation',
    signedIn: true,
    prepare: refuseCalls('**/cscpLogOperations?**', 500),
  },
  {
    name: 'operation-log-detail',
    path: '/system/logging-operation',
    signedIn: true,
    prepare: async (page) => {
      await settled(page);
      await page.locator('button:has(time[datetime])').first().click();
      await page.waitForTimeout(900);
    },
  },
  {
    name: 'operation-log-export',
    path: '/system/logging-operation',
    signedIn: true,
    async prepare(page) {
      await settled(page);
      await page
        .locator('main button')
        .filter({ hasText: /导出|Exporter/ })
        .first()
        .click();
      await page.locator('.ant-modal .ant-btn-primary').click();
      await page.waitForTimeout(3000);
    },
  },
  { name: 'not-found', path: '/no/such/page', signedIn: true, prepare: settled },
];
