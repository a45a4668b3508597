import { createCanvas, loadImage } from '@napi-rs/canvas';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { login } from '../fixtures/api.ts';
import { expectAccessible, type Look } from '../fixtures/browser.ts';
import { startOffice, type Office } from '../fixtures/office.ts';

let id: number;
let office: Office;

beforeAll(async () => {
  office = await startOffice();
  ({ id } = await office.admin.send<{ id: number }>('POST', '/api/cscpUserPids', {
    username: 'zhoumin',
    familyName: '周',
    name: '敏',
    mobile: '13800138000',
    email: 'zhoumin@example.com',
    discTitle: '夜班',
    discDetail: '滨江路段夜间值守',
    roles: [1],
    treeLevel: 3,
  }));
});
afterAll(() => office?.close());

/** From the list, as an operator does: the id is handed over, not in the address. */
async function openEdit(look: Look = {}): Promise<Page> {
  const page = await office.open('/system/user-management', look);
  await page.getByRole('button', { name: /zhoumin 的更多操作|Autres actions pour zhoumin/ }).click();
  await page.getByRole('menuitem', { name: /编辑完整资料|fiche complète/ }).click();
  await page.locator('[id$=currentUserPwd]').waitFor();
  return page;
}
const submit = (page: Page) => page.getByRole('button', { name: '提交' }).click();

const quarters: readonly (readonly [color: string, x: number, y: number])[] = [
  ['#f00', 0, 0],
  ['#0f0', 1, 0],
  ['#00f', 0, 1],
  ['#fff', 1, 1],
];
function picture(width: number, height: number): Buffer {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  for (const [color, x, y] of quarters) {
    context.fillStyle = color;
    context.fillRect((x * width) / 2, (y * height) / 2, width / 2, height / 2);
  }
  return canvas.toBuffer('image/jpeg', 95);
}
/** The same, taken with the camera turned: shown a quarter to the right of how it is stored (EXIF orientation 6). */
function turnedPicture(width: number, height: number): Buffer {
  const jpeg = picture(width, height);
  const orientation = Buffer.from([
    0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0,
  ]);
  const exif = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), orientation]);
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xe1, 0, exif.length + 2]), exif, jpeg.subarray(2)]);
}
/** What an avatar shows in its four quarters. */
async function seen(image: Locator): Promise<string[]> {
  const address = (await image.getAttribute('src')) ?? '';
  const loaded = await loadImage(Buffer.from(address.slice(address.indexOf(',') + 1), 'base64'));
  expect(loaded.width).toBe(loaded.height);
  const canvas = createCanvas(loaded.width, loaded.height);
  const context = canvas.getContext('2d');
  context.drawImage(loaded, 0, 0);
  return quarters.map(([, x, y]) => {
    const [red = 0, green = 0, blue = 0] = context.getImageData(
      Math.floor((0.2 + 0.6 * x) * loaded.width),
      Math.floor((0.2 + 0.6 * y) * loaded.height),
      1,
      1,
    ).data;
    return [red, green, blue].map((part) => (part > 128 ? '1' : '0')).join('');
  });
}
async function chooseAvatar(page: Page, buffer: Buffer): Promise<{ x: number; y: number; side: number }> {
  await page.locator('[id$=imgPath]').click();
  await page.locator('input[type=file]').setInputFiles({ name: 'face.jpg', mimeType: 'image/jpeg', buffer });
  // Waits until the dialog has stopped growing.
  await page.getByRole('application').hover();
  const box = await page.getByRole('application').boundingBox();
  if (!box) throw new Error('no crop area');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, side: box.width * 0.8 };
}
async function confirm(page: Page): Promise<string[]> {
  await page.getByRole('button', { name: '确定' }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  return seen(page.locator('form img').first());
}
const [red, green, blue, white] = ['100', '010', '001', '111'] as const;

describe('an avatar', () => {
  it('lies as the camera meant it, is cut by mouse, wheel, tap and keys, and is stored', async () => {
    const page = await openEdit();
    await chooseAvatar(page, turnedPicture(600, 400));
    await expectAccessible(page, 'the avatar dialog');
    await page.keyboard.press('Escape');
    await page.mouse.click(4, 4);
    expect(await confirm(page)).toEqual([blue, red, white, green]);

    const { x, y, side } = await chooseAvatar(page, picture(600, 600));
    await page.mouse.move(x, y);
    for (let step = 0; step < 10; step += 1) await page.mouse.wheel(0, -100);
    await page.getByText('2.0×').waitFor();
    await page.mouse.down();
    await page.mouse.move(x + side / 2, y + side / 2, { steps: 5 });
    await page.mouse.up();
    expect(await confirm(page)).toEqual([red, red, red, red]);

    await chooseAvatar(page, picture(600, 600));
    for (let step = 0; step < 10; step += 1) await page.getByRole('button', { name: '放大' }).click();
    await page.mouse.click(x + side * 0.45, y - side * 0.45);
    expect(await confirm(page)).toEqual([green, green, green, green]);

    await chooseAvatar(page, picture(600, 600));
    for (let step = 0; step < 10; step += 1) await page.keyboard.press('+');
    for (let step = 0; step < 6; step += 1) {
      await page.keyboard.press('Shift+ArrowRight');
      await page.keyboard.press('Shift+ArrowUp');
    }
    expect(await confirm(page)).toEqual([blue, blue, blue, blue]);

    await page.locator('[id$=currentUserPwd]').fill(office.password);
    await submit(page);
    await page.waitForURL('**/system/user-management');
    const stored = await office.admin.get<{ imgPath: string }>(`/api/system/cscpUserDetailsByUserId?userId=${id}`);
    expect(stored.imgPath).toMatch(/^data:image\/(jpeg|png);base64,/);
    await office.leave(page);
  });
});

describe('an account', () => {
  it('is not changed with a wrong own password: flagged, told, and tried again', async () => {
    const page = await openEdit();
    await page.locator('[id$=discTitle]').fill('白班');
    await page.locator('[id$=currentUserPwd]').fill('Wrong-4711-lamp');
    await submit(page);
    await page.getByText('登录密码错误，请重新填写').waitFor();
    await page.getByText('当前登录密码错误').waitFor();
    await expectAccessible(page, 'the wrong password');
    await page.locator('[id$=currentUserPwd]').fill(office.password);
    await submit(page);
    await page.getByText('更新用户成功').waitFor();
    await page.waitForURL('**/system/user-management');
    expect(
      (await office.admin.get<{ discTitle: string }>(`/api/system/cscpUserDetailsByUserId?userId=${id}`)).discTitle,
    ).toBe('白班');
    await office.leave(page);
  });

  it('that somebody else changed meanwhile shows both versions, and the chosen one is stored', async () => {
    const page = await openEdit();
    const { version } = await office.admin.get<{ version: number }>(`/api/system/cscpUserDetailsByUserId?userId=${id}`);
    await office.admin.send('PUT', '/api/tbUsers', { id, treeLevel: 4, version });
    await page.locator('[id$=discTitle]').fill('中班');
    await page.locator('[id$=currentUserPwd]').fill(office.password);
    await submit(page);
    await page.getByText('别人刚刚修改了这个用户').waitFor();
    await expectAccessible(page, 'both versions');
    await page.getByRole('button', { name: '按所选继续' }).click();
    await submit(page);
    await page.waitForURL('**/system/user-management');
    expect(await office.admin.get(`/api/system/cscpUserDetailsByUserId?userId=${id}`)).toMatchObject({
      discTitle: '中班',
      treeLevel: 4,
    });
    await office.leave(page);
  });

  it('is made on the full screen: the taken name is told, the first password is shown once and signs in', async () => {
    const page = await office.open('/system/user-add');
    const fill = (field: string, value: string) => page.locator(`[id$=-${field}]`).fill(value);
    await fill('username', 'ZhouMin');
    await page.keyboard.press('Tab');
    await page.getByText('该账号已存在').waitFor();
    await fill('username', 'liwei');
    await page.keyboard.press('Tab');
    await page.getByText('可以使用').waitFor();
    await submit(page);
    await page.getByText('5 处需要修改').waitFor();
    await expectAccessible(page, 'the form with its problems');
    for (const [field, value] of [
      ['familyName', '李'],
      ['name', '伟'],
      ['mobile', '13900139000'],
      ['email', 'liwei@example.com'],
    ] as const)
      await fill(field, value);
    await page.getByLabel('角色').click();
    await page.locator('.ant-select-item-option').first().click();
    await page.keyboard.press('Escape');
    await submit(page);
    const password = await page.locator('output').innerText();
    await page.getByRole('button', { name: '我已保存，关闭' }).click();
    await page.waitForURL('**/system/user-management');
    expect((await login(office.product.url, 'liwei', password)).body.passwordStatus).toBe(1);
    await office.leave(page);
  });

  it.each([{ theme: 'dark' as const }, { theme: 'light' as const, language: 'fr_FR', width: 390, height: 844 }])(
    'is edited in a page that is accessible and fits: %o',
    async (look) => {
      const page = await openEdit(look);
      await expectAccessible(page, JSON.stringify(look));
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
      // Whatever gets the focus stands above the bar of buttons.
      for (const field of ['familyName', 'email', 'discDetail', 'newPassword']) {
        await page.locator(`[id$=-${field}]`).focus();
        const [input, bar] = await Promise.all([
          page.locator(`[id$=-${field}]`).boundingBox(),
          page.locator('form[aria-busy] button[type=submit]').boundingBox(),
        ]);
        expect((input?.y ?? 0) + (input?.height ?? 0), field).toBeLessThanOrEqual(bar?.y ?? 0);
      }
      await office.leave(page);
    },
  );
});
