import axe from 'axe-core';
import { ConfigProvider } from 'antd';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { Suspense } from 'react';
import { I18nextProvider } from 'react-i18next';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  createLoginAppearance,
  deleteLoginAppearance,
  listLoginAppearances,
  updateLoginAppearance,
} from '../../../../../contract/people/login-appearances.ts';
import { getLoginAppearance } from '../../../../../contract/specified/sign-in.ts';
import { createQueryClient } from '../../../api/index.ts';
import { AskHost } from '../../../app/shell/AskHost.tsx';
import { useBrand } from '../../../app/shell/brand.ts';
import { TabKeyContext, TabStoreContext } from '../../../frame/tabs/tab-context.ts';
import { createTabStore } from '../../../frame/tabs/tab-store.ts';
import { startI18n } from '../../../locales/i18n.ts';
import { Toasts } from '../../../parts/index.ts';
import { toasts } from '../../../frame/toast-store.ts';
import { contractServer, type ContractServer } from '../../../testing/contract-server.ts';
import { problemsOf, startOf, type Appearance } from './appearance.ts';
import LoginAppearances from './index.tsx';
import { bytesOf } from './small-picture.ts';

const png =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const general: Appearance = {
  id: 1,
  version: 3,
  host: null,
  company: false,
  name: '滨江照明',
  title: '滨江照明平台',
  logo: png,
  icon: null,
};
const other: Appearance = {
  ...general,
  id: 2,
  version: 1,
  host: 'lamps.example.com',
  company: true,
  name: '东城照明',
  logo: null,
};
let all: Appearance[] = [];
let server: ContractServer;
const find = { timeout: 8_000 };
configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });

/** The shell's name and title, as the header and the browser's tab show them. */
function Brand() {
  const { name, title } = useBrand();
  return <output>{`${name} | ${title}`}</output>;
}

async function open(path = '/settings') {
  render(
    <ConfigProvider button={{ autoInsertSpace: false }} theme={{ token: { motion: false } }}>
      <I18nextProvider i18n={await startI18n('zh-CN')}>
        <QueryClientProvider client={createQueryClient()}>
          <MemoryRouter initialEntries={[path]}>
            <TabStoreContext value={createTabStore()}>
              <TabKeyContext value="/settings">
                <main>
                  <Suspense fallback="…">
                    <LoginAppearances />
                  </Suspense>
                </main>
                <Brand />
                <AskHost />
                <Toasts />
              </TabKeyContext>
            </TabStoreContext>
          </MemoryRouter>
        </QueryClientProvider>
      </I18nextProvider>
    </ConfigProvider>,
  );
  await screen.findByRole('textbox', { name: /^名称/ }, find);
}
const box = (name: RegExp): HTMLInputElement => screen.getByRole('textbox', { name });
const type = (name: RegExp, value: string): void => {
  fireEvent.change(box(name), { target: { value } });
};
const press = (name: string | RegExp): void => {
  fireEvent.click(screen.getByRole('button', { name }));
};
const bodies = (route: typeof createLoginAppearance | typeof updateLoginAppearance): unknown[] =>
  server.of(route).map(({ body }) => JSON.parse(body) as unknown);

beforeEach(async () => {
  toasts.setState([], true);
  document.head.innerHTML = '<link rel="icon" type="image/svg+xml" href="/mark.svg">';
  all = [general, other];
  server = await contractServer();
  server.answer(listLoginAppearances, () => ({ data: all, recordsTotal: all.length }));
  server.answer(getLoginAppearance, () => ({
    code: 0 as const,
    data: { name: all[0]!.name, logo: all[0]!.logo, title: all[0]!.title, ico: all[0]!.icon },
  }));
  server.on(updateLoginAppearance, ({ path, body }) => {
    const id = Number(path.split('/').at(-1));
    const given = JSON.parse(body) as Partial<Appearance>;
    const stored = all.find((one) => one.id === id)!;
    if (given.version !== stored.version)
      return { status: 409, body: { status: 409, code: 1401, message: '已被修改' } };
    const saved = { ...stored, ...given, version: stored.version + 1 };
    all = all.map((one) => (one.id === id ? saved : one));
    return { status: 200, body: saved };
  });
});
afterEach(async () => {
  cleanup();
  await server.close();
});

describe('the form', () => {
  test('begins with the general one; the preview follows what is typed; axe finds nothing', async () => {
    await open();
    expect(
      within(screen.getByRole('navigation'))
        .getAllByRole('button')
        .map((one) => one.textContent),
    ).toEqual(['通用（所有其他域名）滨江照明', 'lamps.example.com东城照明公司自有']);
    expect(screen.queryByRole('textbox', { name: /域名/ })).toBeNull();
    type(/^名称/, '夜色');
    type(/^标题/, '夜色平台');
    expect(screen.getByRole('img', { name: '登录页预览：夜色' }).textContent).toContain('夜色');
    expect(screen.getByRole('img', { name: '浏览器标签页预览：夜色平台' }).textContent).toContain('夜色平台');
    const { violations } = await axe.run(document.body, {
      rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
    });
    expect(violations.map(({ id, nodes: [first] }) => [id, first?.html])).toEqual([]);
  });

  test('sends what changed with its version; afterwards the own tab’s name, title and icon follow', async () => {
    await open();
    await screen.findByText('滨江照明 | 滨江照明平台');
    type(/^名称/, ' 夜色 ');
    press('保存');
    await screen.findByText('登录页设置已保存', undefined, find);
    expect(bodies(updateLoginAppearance)).toEqual([{ name: '夜色', version: 3 }]);
    await screen.findByText('夜色 | 滨江照明平台');
    all = [{ ...all[0]!, icon: png }, other];
    type(/^标题/, '夜色平台');
    press('保存');
    await waitFor(() => expect(document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href).toBe(png));
    all = [{ ...all[0]!, icon: null }, other];
    type(/^标题/, '再来');
    press('保存');
    await waitFor(() => expect(document.querySelector('link[rel=icon]')?.getAttribute('href')).toBe('/mark.svg'));
  });

  test('a picture can be taken away', async () => {
    await open();
    press('移除标志');
    press('保存');
    await screen.findByText('登录页设置已保存', undefined, find);
    expect(bodies(updateLoginAppearance)).toEqual([{ logo: null, version: 3 }]);
  });

  test('a new host name begins with the general one’s; everything wrong is told at once', async () => {
    server.on(createLoginAppearance, ({ body }) => {
      const saved = { ...(JSON.parse(body) as Appearance), id: 9, version: 1 };
      all = [...all, saved];
      return { status: 201, body: saved };
    });
    await open();
    press('为一个域名单独设置');
    await waitFor(() => expect(box(/域名/).value).toBe(''));
    expect(box(/^名称/).value).toBe('滨江照明');
    type(/域名/, 'https://night.example/');
    type(/^标题/, ' ');
    press('保存');
    expect(screen.getByText('只写域名或地址，可以带端口，不带 http:// 和路径')).toBeTruthy();
    expect(screen.getByText('请填写标题')).toBeTruthy();
    type(/域名/, 'LAMPS.example.com');
    press('保存');
    expect(screen.getByText('这个域名已经有设置')).toBeTruthy();
    type(/域名/, 'Night.example:8443');
    type(/^标题/, '夜');
    fireEvent.click(screen.getByRole('checkbox'));
    expect(screen.getByText('保存后，标记从“lamps.example.com”移到这里')).toBeTruthy();
    press('保存');
    await screen.findByText('已为这个域名单独设置', undefined, find);
    expect(bodies(createLoginAppearance)).toEqual([
      { host: 'night.example:8443', company: true, name: '滨江照明', title: '夜', logo: png, icon: null },
    ]);
    await screen.findByRole('heading', { name: 'night.example:8443' });
  });

  test('unsaved input is asked about before another one is shown', async () => {
    await open();
    type(/^名称/, '夜色');
    press(/lamps\.example\.com/);
    await screen.findByText('有没保存的内容', undefined, find);
    fireEvent.click(screen.getByRole('button', { name: '放弃并继续' }));
    await waitFor(() => expect(box(/^名称/).value).toBe('东城照明'));
  });

  test('two operators: the second is told what is stored and decides', async () => {
    await open();
    type(/^名称/, '我的');
    all = [{ ...general, name: '他的', version: 4 }, other];
    press('保存');
    await screen.findByText('名称现在是：他的', undefined, find);
    press('保留我填写的');
    press('保存');
    await screen.findByText('登录页设置已保存', undefined, find);
    expect(all[0]).toMatchObject({ name: '我的', version: 5 });
  });

  test('what the server refuses stands beside its field', async () => {
    await open();
    server.refuse(updateLoginAppearance, 400, { params: [{ field: 'logo', rule: 'picture', message: '不是图片' }] });
    type(/^名称/, '夜');
    press('保存');
    await screen.findByText('不是图片', undefined, find);
  });
});

describe('taking back', () => {
  test('a host’s settings are deleted after a question, and the general one is shown', async () => {
    server.on(deleteLoginAppearance, () => {
      all = [general];
      return { status: 204, body: null };
    });
    await open('/settings?id=2');
    press('删除');
    const question = within(await screen.findByRole('dialog', undefined, find));
    expect(question.getByText('删除“lamps.example.com”的设置？')).toBeTruthy();
    fireEvent.click(question.getByRole('button', { name: '删除' }));
    await screen.findByRole('heading', { name: '通用（所有其他域名）' }, find);
    expect(server.of(deleteLoginAppearance)[0]?.path).toMatch(/\/2$/);
  });

  test('the general one goes back to the product’s own', async () => {
    server.on(deleteLoginAppearance, () => {
      all = [{ ...general, name: '智慧灯杆管理平台', logo: null, version: 4 }, other];
      return { status: 204, body: null };
    });
    await open();
    press('恢复默认');
    const question = within(await screen.findByRole('dialog', undefined, find));
    fireEvent.click(question.getByRole('button', { name: '恢复默认' }));
    await waitFor(() => expect(box(/^名称/).value).toBe('智慧灯杆管理平台'), find);
  });
});

test('the rules of an appearance', () => {
  const start = { ...startOf(general), host: 'a.example' };
  expect(problemsOf({ ...start, host: '' }, true, [])).toEqual({});
  expect(
    ['', 'a b', '[::1]:80', '10.0.0.1', 'a.example/x', 'b.example'].map(
      (host) => problemsOf({ ...start, host }, false, ['b.example'])['host'],
    ),
  ).toEqual(['rule.host.required', 'rule.host.form', undefined, undefined, 'rule.host.form', 'rule.host.taken']);
  expect(problemsOf({ ...start, name: '', title: '长'.repeat(61) }, false, [])).toEqual({
    name: 'rule.name',
    title: 'rule.long',
  });
  expect(bytesOf('data:image/png;base64,AAAA')).toBe(3);
});
