import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, openBrowser, person, signIn } from '../fixtures/browser.ts';
import { startProduct, type Product } from '../fixtures/product.ts';

const newPassword = 'Journey-4711-lamp';
let browser: Browser;
let product: Product;

beforeAll(async () => {
  [browser, product] = await Promise.all([openBrowser(), startProduct({ fresh: true })]);
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

const input = (page: Page, autocomplete: string) => page.locator(`input[autocomplete="${autocomplete}"]`);

describe('the first start', () => {
  it('leads from the initial password through its forced change into the console, and out again', async () => {
    const page = await (await person(browser)).newPage();
    await signIn(page, product.url, 'admin', product.initialPassword());
    await page.waitForURL('**/update-password');
    await page.getByText('密码存在风险').first().waitFor();
    await expectAccessible(page, '/update-password');
    await input(page, 'current-password').fill(product.initialPassword());
    await input(page, 'new-password').first().fill('short');
    await page.keyboard.press('Enter');
    await page.getByText('修改失败').waitFor();
    await input(page, 'new-password').first().fill(newPassword);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/home');
    await page.getByRole('navigation').first().waitFor();
    await page.reload();
    await page.getByRole('navigation').first().waitFor();
    expect(await page.evaluate(() => localStorage.getItem('token'))).toMatch(/^Bearer /);
    await page.goto(`${product.url}/login`);
    await input(page, 'username').waitFor();
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
    await page.context().close();
  });
});

describe('the sign-in page', () => {
  it('is accessible in both themes, on a desk and on a phone', async () => {
    for (const look of [
      { theme: 'light' as const },
      { theme: 'dark' as const, width: 390, height: 844, language: 'fr_FR' },
    ]) {
      const page = await (await person(browser, look)).newPage();
      await page.goto(`${product.url}/login`);
      await input(page, 'username').waitFor();
      await expectAccessible(page, `/login ${JSON.stringify(look)}`);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
      await page.context().close();
    }
  });

  it('reloads in another language and keeps it', async () => {
    const page = await (await person(browser)).newPage();
    await page.goto(`${product.url}/login`);
    await page.getByRole('heading', { name: '用户登录' }).waitFor();
    await page.locator('select').selectOption('fr_FR');
    await page.waitForFunction(
      () => document.documentElement.lang === 'fr-FR' && !document.body.innerText.includes('用户登录'),
    );
    await page.reload();
    await page.waitForFunction(() => document.documentElement.lang === 'fr-FR');
    expect(await page.evaluate(() => localStorage.getItem('locale'))).toBe('fr_FR');
    await page.context().close();
  });

  it('says what is missing, who is unknown, how many attempts are left, and locks with the time', async () => {
    const page = await (await person(browser)).newPage();
    await page.goto(`${product.url}/login`);
    await input(page, 'username').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('请输入账号').waitFor();
    await signIn(page, product.url, 'nobody', 'whatever');
    await page.getByText('用户不存在').waitFor();
    for (const left of [4, 3, 2, 1]) {
      await input(page, 'username').fill('admin');
      await input(page, 'current-password').fill('wrong-password');
      await page.keyboard.press('Enter');
      await page.getByText(new RegExp(`${left}\\s*次`)).waitFor();
    }
    await input(page, 'current-password').fill('wrong-password');
    await page.keyboard.press('Enter');
    await page.getByText(/锁定.*(59 ?分|1 ?小时)/).waitFor();
    await input(page, 'current-password').fill(newPassword);
    const answered = page.waitForResponse((reply) => reply.url().endsWith('/api/system/login'));
    await page.keyboard.press('Enter');
    // The right password is refused too while the lock lasts.
    const refusal = await answered;
    expect(refusal.status()).toBe(401);
    await page.getByText(/锁定.*(59 ?分|1 ?小时)/).waitFor();
    await expectAccessible(page, '/login locked');
    await page.context().close();
  });
});

describe('the captcha', () => {
  it('changes when clicked, and after a wrong code', async () => {
    const guarded = await startProduct({ env: { CAPTCHA: 'on' } });
    try {
      const page = await (await person(browser)).newPage();
      await page.goto(`${guarded.url}/login`);
      const picture = page.locator('.captcha img');
      await picture.waitFor();
      const shown = () => picture.getAttribute('src');
      const first = await shown();
      await page.locator('.captcha').click();
      await expect.poll(shown, { timeout: 10_000 }).not.toBe(first);
      const second = await shown();
      await input(page, 'username').fill('admin');
      await input(page, 'current-password').fill('whatever');
      await page.locator('.captcha-field input').fill('0000');
      await page.keyboard.press('Enter');
      await page.getByText('验证码错误').waitFor();
      await expect.poll(shown, { timeout: 10_000 }).not.toBe(second);
      await page.context().close();
    } finally {
      await guarded.stop();
    }
  });
});
