import { createCanvas } from '@napi-rs/canvas';
import type { Page } from 'playwright-core';

export const settled = async (page: Page) => {
  await page.waitForLoadState('networkidle').catch(() => undefined);
  // On a busy machine a page is drawn long after its answers came.
  await page.waitForFunction(
    () => document.querySelector('h1, form') !== null && document.querySelector('[class*=skeleton]') === null,
  );
  await page.waitForTimeout(1500);
};
/** Opens the first lamp of the list beside it; answers with its id. */
export const openFirstLamp = async (page: Page): Promise<string> => {
  await settled(page);
  await page.locator('tbody button').first().click();
  await page.waitForURL(/[?&]lamp=\d+/);
  await page.waitForTimeout(2000);
  return new URL(page.url()).searchParams.get('lamp') ?? '';
};
/** Dims the lamps of the first road, and opens the task when its readings have come. */
export const openCommand = async (page: Page): Promise<void> => {
  await settled(page);
  const id = await page.evaluate(async () => {
    const headers = { Authorization: localStorage.getItem('token') ?? '', 'content-type': 'application/json' };
    const { data } = (await fetch('/api/v1/records/road?size=1', { headers }).then((reply) => reply.json())) as {
      data: { id: number }[];
    };
    const body = {
      scope: { roadId: data[0]?.id },
      command: 'dim',
      args: { level: 60 },
      reason: '路段养护',
      requestId: crypto.randomUUID(),
    };
    const made = await fetch('/api/v1/commands', { method: 'POST', headers, body: JSON.stringify(body) });
    return ((await made.json()) as { id: number }).id;
  });
  await page.goto(new URL(`/lamp/command/${id}`, page.url()).href);
  await page.waitForTimeout(15_000);
  await settled(page);
};
/** Opens the last night whose lamps were counted: a demonstration counts the night before six minutes after its start. */
const openCountedNight = async (page: Page): Promise<void> => {
  const counted = page
    .locator('[data-list=nights] tbody tr, [data-list=nights] li')
    .filter({ hasText: /盏执行|Plan suivi|Ran the plan/ });
  await counted.first().locator('button').first().click({ timeout: 480_000 });
  await settled(page);
};
/** The same night, its lamps narrowed to the first reason that a lamp's page explains; to none where it has none. */
export const openKnownReason = async (page: Page): Promise<void> => {
  await openCountedNight(page);
  const known = page.locator('[class*=reasons] li button').filter({
    hasText: /灯具、驱动|Défaut de la lampe|就地控制|Commande locale|回路无电|hors tension|离线|Hors ligne/,
  });
  if ((await known.count()) === 0) return;
  await known.first().click();
  await page.waitForURL(/[?&]reason=/);
  await settled(page);
};
export const refuseCalls = (pattern: string, status: number) => async (page: Page) => {
  await page.route(pattern, (route) =>
    route.fulfill({
      status,
      contentType: 'application/problem+json',
      body: JSON.stringify({
        title: '服务暂时不可用',
        message: '服务暂时不可用',
        msg: '服务暂时不可用',
        status,
        code: 1901,
        requestId: '8f3c21a9',
      }),
    }),
  );
  await page.reload();
  await settled(page);
};

/** Somebody to cut an avatar from. */
export function face(): Buffer {
  const canvas = createCanvas(1600, 1200);
  const context = canvas.getContext('2d');
  const dusk = context.createLinearGradient(0, 0, 1600, 1200);
  dusk.addColorStop(0, '#17324d');
  dusk.addColorStop(1, '#e8a13a');
  for (const [color, draw] of [
    [dusk, () => context.fillRect(0, 0, 1600, 1200)],
    ['#2f4a5e', () => context.ellipse(860, 1160, 420, 380, 0, 0, Math.PI * 2)],
    ['#f0c9a0', () => context.arc(860, 560, 240, 0, Math.PI * 2)],
    ['#f6d34b', () => context.arc(860, 500, 262, Math.PI, 0)],
  ] as const) {
    context.beginPath();
    context.fillStyle = color;
    draw();
    context.fill();
  }
  return canvas.toBuffer('image/jpeg', 90);
}
/** The full screen of somebody else, made once; the id is handed over as the list does it. */
export const openUserEdit = async (page: Page): Promise<void> => {
  await settled(page);
  await page.evaluate(async () => {
    const headers = { Authorization: localStorage.getItem('token') ?? '', 'content-type': 'application/json' };
    const body = {
      username: 'zhoumin',
      familyName: '周',
      name: '敏',
      mobile: '13800138000',
      email: 'zhoumin@example.com',
      discTitle: '夜班值守',
      discDetail: '滨江路段夜间值守与抢修',
      roles: [1],
      treeLevel: 3,
    };
    await fetch('/api/cscpUserPids', { method: 'POST', headers, body: JSON.stringify(body) });
    const found = (await fetch('/api/tbUsers?username=zhoumin&nickname=zhoumin', { headers }).then((reply) =>
      reply.json(),
    )) as { data: { id: number }[] };
    const tab = {
      title: '',
      name: 'user-edit',
      language: 'user-edit',
      selected: true,
      address: '/system/user-edit',
      pinned: false,
      handOver: { id: found.data[0]?.id },
    };
    sessionStorage.setItem('openedPageList', JSON.stringify([tab]));
  });
  await page.goto(new URL('/system/user-edit', page.url()).href);
  await settled(page);
};

/**
 * Opens the form of a role in the middle of the tree: some entries granted, so that parents are half-checked. Made
 * once.
 */
export const openRoleEdit = async (page: Page): Promise<void> => {
  await settled(page);
  await page.evaluate(async () => {
    const headers = { Authorization: localStorage.getItem('token') ?? '', 'content-type': 'application/json' };
    const menus = (await fetch('/api/user/cscpMenus', { headers }).then((reply) => reply.json())) as {
      id: number;
      permissionCode: string | null;
    }[];
    const some = menus
      .filter(({ permissionCode }) => ['lamp.monitor', 'record.query', 'device.query'].includes(permissionCode ?? ''))
      .map(({ id }) => id);
    await fetch('/api/cscpRolesCreators', {
      method: 'POST',
      headers,
      body: JSON.stringify({ name: '夜间值守', icon: 'moon', roleExtent: '滨江新区', parentId: 0, menus: some }),
    });
    const { data } = (await fetch('/api/cscpRolesCreators?size=1000', { headers }).then((reply) => reply.json())) as {
      data: { id: number; name: string }[];
    };
    const tab = {
      title: '',
      name: 'role-edit',
      language: 'role-edit',
      selected: true,
      address: '/system/role-edit',
      pinned: false,
      handOver: { id: data.find(({ name }) => name === '夜间值守')?.id },
    };
    sessionStorage.setItem('openedPageList', JSON.stringify([tab]));
  });
  await page.goto(new URL('/system/role-edit', page.url()).href);
  await settled(page);
};

/** A tree of organisations with work groups and people, made once; two of its nodes are opened. */
export const openOrganisations = async (page: Page): Promise<void> => {
  await settled(page);
  await page.evaluate(async () => {
    const headers = { Authorization: localStorage.getItem('token') ?? '', 'content-type': 'application/json' };
    const get = <T>(path: string): Promise<T> => fetch(path, { headers }).then((reply) => reply.json() as Promise<T>);
    const send = <T>(path: string, body: unknown): Promise<T> =>
      fetch(path, { method: 'POST', headers, body: JSON.stringify(body) }).then((reply) => reply.json() as Promise<T>);
    if (
      (await get<{ recordsTotal: number }>(`/api/v1/organisations?name=${encodeURIComponent('城东照明所')}`))
        .recordsTotal > 0
    )
      return;
    const person = (username: string, familyName: string, name: string) =>
      send('/api/cscpUserPids', {
        username,
        familyName,
        name,
        mobile: '13800138000',
        email: `${username}@example.com`,
        discTitle: '夜班值守',
        discDetail: '滨江路段夜间值守与抢修',
        roles: [1],
        treeLevel: 3,
      });
    await Promise.all(
      [
        ['wangfang', '王', '芳'],
        ['liuyang', '刘', '洋'],
        ['chenjing', '陈', '静'],
        ['zhaolei', '赵', '磊'],
      ].map(([username = '', family = '', name = '']) => person(username, family, name)),
    );
    const { data: people } = await get<{ data: { userId: number }[] }>('/api/system/cscpUserDetailsOr?size=1000');
    const {
      data: [area],
    } = await get<{ data: { value: number }[] }>('/api/tWorkAreas/getSeletcList');
    for (const [groupName, description] of [
      ['滨江夜巡组', '滨江路段夜间巡查'],
      ['应急抢修组', '全市应急抢修'],
    ])
      await send('/api/cscpWorkGroups', {
        groupName,
        description,
        workId: area?.value,
        userDetail: people.slice(0, 2).map(({ userId }) => ({ userId })),
      });
    const { data: groups } = await get<{ data: { id: number }[] }>('/api/system/cscpWorkGroupsOr');
    const make = async (
      orgName: string,
      parentId: number,
      orderby: number,
      description: string | null,
      staff: number,
      teams: number,
    ): Promise<number> =>
      (
        await send<{ id: number }>('/api/system/cscpOrgs/save', {
          cscpOrgDTOs: [{ id: null, orgName, description, parentId, orderby }],
          cscpUserOrgDTOs: people.slice(0, staff).map(({ userId }) => ({ userId })),
          cscpWorkGroupOrgDTOs: groups.slice(0, teams).map(({ id }) => ({ groupId: id })),
        })
      ).id;
    const east = await make('城东照明所', 0, 1, '滨江与城东片区', 4, 2);
    const west = await make('城西照明所', 0, 2, null, 2, 1);
    const river = await make('滨江中队', east, 1, '滨江路与望江路', 3, 1);
    await make('湖滨中队', east, 2, null, 0, 0);
    await make('夜班一组', river, 1, '22:00 至 6:00', 2, 0);
    await make('夜班二组', river, 2, null, 1, 0);
    await make('北山中队', west, 1, null, 1, 0);
  });
  await page.reload();
  await settled(page);
  const open = async (name: string): Promise<void> => {
    await page.locator('[role=treeitem]').filter({ hasText: name }).first().focus();
    await page.keyboard.press('ArrowRight');
    await page.waitForTimeout(500);
  };
  await open('城东照明所');
  await open('滨江中队');
};
