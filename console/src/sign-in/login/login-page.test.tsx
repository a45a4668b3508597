/** @jsxImportSource preact */
import { generateKeyPairSync } from 'node:crypto';
import { render } from 'preact';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { storedToken, storedUsername } from '../../session/index.ts';
import { App } from '../App.tsx';
import { enter } from '../enter.ts';
import { pendingChange } from '../pending-change.ts';
import { loadTexts, TextsContext } from '../texts.ts';

const texts = await loadTexts('zh-CN');
const { publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'der' },
});
const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers });

type Reply = (init: RequestInit) => Response;
/** The server as the contract describes it; a test replaces the answers it is about. */
const usual: Record<string, Reply> = {
  '/api/catpcha/digitalCaptcha': () => json({ key1: 'data:image/png;base64,AAAA' }),
  '/api/system/publicKey': () => json({ publicKey: publicKey.toString('base64') }),
  '/api/sysLoginDisposes/1': () =>
    json({ code: 0, data: { name: '滨江照明', logo: null, title: '滨江照明平台', ico: null } }),
  '/api/system/login': () => json({ token: 'Bearer fresh', passwordStatus: 0 }),
  '/api/system/logout': () => json({ success: true }),
  '/api/system/cscpUserPasswordRule': () => new Response('8–20'),
  '/home': () => new Response('<p>'),
};
let sent: { path: string; init: RequestInit }[] = [];
let place: HTMLElement;

function open(path: string, replies: Record<string, Reply> = {}): void {
  vi.stubGlobal('fetch', (address: string, init: RequestInit = {}) => {
    sent.push({ path: address, init });
    return Promise.resolve((replies[address] ?? usual[address] ?? (() => json({}, 404)))(init));
  });
  window.history.replaceState(null, '', path);
  render(
    <TextsContext.Provider value={texts}>
      <App entry={enter()} />
    </TextsContext.Provider>,
    place,
  );
}

const one = <T extends Element = HTMLElement>(selector: string): T => {
  const found = place.querySelector<T>(selector);
  if (found === null) throw new Error(`no ${selector}`);
  return found;
};
const type = (selector: string, value: string): void => {
  const input = one<HTMLInputElement>(selector);
  input.value = value;
  input.dispatchEvent(new Event('input', { bubbles: true }));
};
const appears = (text: string): Promise<void> => vi.waitFor(() => expect(place.textContent).toContain(text));
const calls = (path: string) => sent.filter((call) => call.path === path);

async function fillAndSubmit(username = 'zhoumin'): Promise<void> {
  await vi.waitFor(() => one('.captcha img'));
  type('input[name=username]', username);
  type('input[name=password]', '密码 1');
  type('.captcha-field input', 'ab12');
  await vi.waitFor(() => expect(one<HTMLInputElement>('.captcha-field input').value).toBe('ab12'));
  one<HTMLFormElement>('form').requestSubmit();
}

beforeEach(() => {
  localStorage.setItem('locale', 'zh_CN');
  sent = [];
  place = document.body.appendChild(document.createElement('div'));
});
afterEach(() => {
  render(null, place);
  place.remove();
  vi.unstubAllGlobals();
});

test('a sign-in sends what the specification says, keeps the session and moves on', async () => {
  open('/login');
  await fillAndSubmit();
  await appears('登录成功');
  const [call] = calls('/api/system/login');
  const headers = new Headers(call?.init.headers);
  expect(headers.get('biyiCaptchaKey')).toBe('key1');
  expect(JSON.parse(headers.get('biyiCaptcha') ?? '')).toEqual({ code: 'ab12' });
  const body = JSON.parse(String(call?.init.body)) as Record<string, unknown>;
  expect(body).toMatchObject({ username: 'zhoumin', rememberme: 0 });
  expect(body['password']).not.toContain('密码');
  expect([storedToken(), storedUsername(), window.location.pathname]).toEqual([
    'Bearer fresh',
    'zhoumin',
    '/login-loading',
  ]);
});

test('commands that the end of the session kept from being sent are named', async () => {
  sessionStorage.setItem('unsentCommands', '关灯 · 调光至 60%');
  open('/login');
  await appears('登录已结束，没有下发：关灯 · 调光至 60%');
  expect(sessionStorage.getItem('unsentCommands')).toBeNull();
});

test('a refusal keeps what was typed and fetches another captcha', async () => {
  open('/login', { '/api/system/login': () => json({ attempts: 3 }, 401) });
  await fillAndSubmit();
  await appears('还剩 3 次机会');
  await vi.waitFor(() => expect(calls('/api/catpcha/digitalCaptcha')).toHaveLength(2));
  expect(one<HTMLInputElement>('input[name=username]').value).toBe('zhoumin');
  expect(one<HTMLInputElement>('.captcha-field input').value).toBe('');
  expect(one<HTMLFieldSetElement>('fieldset').disabled).toBe(false);
  expect(storedToken()).toBeUndefined();
});

test('passwordStatus leads to the password page with its warning and the account filled in', async () => {
  open('/login', { '/api/system/login': () => json({ token: '', passwordStatus: 2 }) });
  await fillAndSubmit();
  await appears('密码已使用 3 个月，请修改');
  expect(window.location.pathname).toBe('/update-password');
  expect(one<HTMLInputElement>('input[name=username]').value).toBe('zhoumin');
  expect(pendingChange()?.username).toBe('zhoumin');
  expect(storedToken()).toBeUndefined();
});

test('nothing typed: every field is named and nothing is sent', async () => {
  open('/login');
  await vi.waitFor(() => one('.captcha img'));
  one<HTMLFormElement>('form').requestSubmit();
  await vi.waitFor(() =>
    expect([...place.querySelectorAll('.field-error')].map((error) => error.textContent)).toEqual([
      '▲ 请输入账号',
      '▲ 必填',
      '▲ 必填',
    ]),
  );
  expect(calls('/api/system/login')).toHaveLength(0);
});

test('where nobody checks a captcha none is asked for, however fast the operator is', async () => {
  open('/login', { '/api/catpcha/digitalCaptcha': () => json({ key1: 'data:,' }, 200, { 'X-Captcha': 'off' }) });
  type('input[name=username]', 'zhoumin');
  type('input[name=password]', 'x');
  await vi.waitFor(() => expect(place.querySelector('.captcha')).toBeNull());
  one<HTMLFormElement>('form').requestSubmit();
  await appears('登录成功');
});

test('a captcha that cannot be fetched says so and tries again on a click', async () => {
  let works = false;
  open('/login', { '/api/catpcha/digitalCaptcha': () => (works ? json({ key2: 'data:,' }) : json({}, 429)) });
  await appears('获取失败，点击重试');
  works = true;
  one('.captcha').click();
  await vi.waitFor(() => one('.captcha img'));
});

test('entry ends a prior session here and on the server', () => {
  localStorage.setItem('token', 'Bearer old');
  open('/login');
  expect(storedToken()).toBeUndefined();
  expect(new Headers(calls('/api/system/logout')[0]?.init.headers).get('Authorization')).toBe('Bearer old');
});

test('branding: name, title and icon of the site, else the product’s own', async () => {
  open('/login');
  await appears('滨江照明');
  expect(document.title).toBe('滨江照明平台');
  render(null, place);
  open('/login', { '/api/sysLoginDisposes/1': () => json({}, 500) });
  await appears('智慧灯杆管理平台');
});

test('a sign-in link leaves the address bar, asks, and signs in', async () => {
  const exchange: Reply = ({ body }) => {
    const { token, peek } = JSON.parse(String(body)) as { token: string; peek?: boolean };
    expect(token).toBe('Bearer%e4bc');
    return json(
      peek === true
        ? { name: '周敏', username: 'zhoumin' }
        : { name: '周敏', username: 'zhoumin', token: 'Bearer linked' },
    );
  };
  open('/login?token=Bearer%e4bc', { '/api/v1/sign-in-links/exchange': exchange });
  expect(window.location.search).toBe('');
  await appears('以 周敏 的身份继续');
  expect(storedToken()).toBeUndefined();
  one('.go').click();
  await appears('登录成功');
  expect(storedToken()).toBe('Bearer linked');
});

test('a refused link leads to the form', async () => {
  open('/login?token=Bearer%abcd1234', { '/api/v1/sign-in-links/exchange': () => json({ code: 2011 }, 400) });
  await appears('登录链接无效或已过期');
  one('input[name=username]');
});

test('a changed password: failure in the server’s words, then success', async () => {
  let answer: unknown = { msg: '原密码错误' };
  open('/update-password', { '/api/system/cscpUserPassword': () => json(answer) });
  type('input[name=username]', 'zhoumin');
  type('input[name=old]', 'a');
  type('input[name=fresh]', 'b');
  await vi.waitFor(() => expect(one<HTMLInputElement>('input[name=fresh]').value).toBe('b'));
  one<HTMLFormElement>('form').requestSubmit();
  await appears('修改失败：原密码错误');
  answer = { token: 'Bearer changed', msg: 'ok' };
  one<HTMLFormElement>('form').requestSubmit();
  await appears('修改密码成功！');
  expect(storedToken()).toBe('Bearer changed');
});
