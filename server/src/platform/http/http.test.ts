import { expect, test } from 'vitest';
import type { ReplyOf } from '../../../../contract/route.ts';
import type { getMenus } from '../../../../contract/specified/account.ts';
import { testApp } from '../../testing/app.ts';

const app = await testApp();

test('the administrator is signed in and sees the menu of a fresh installation', async () => {
  const menus = await app.call<ReplyOf<typeof getMenus>>('/api/user/cscpMenus');
  expect(menus.status).toBe(200);
  expect(menus.body.filter((entry) => entry.parentId === 0).map((entry) => entry.title)).toEqual(['智慧路灯', '智慧灯杆', '资产']);
});
