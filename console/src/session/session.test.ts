import { describe, expect, test, vi } from 'vitest';
import {
  applyTimeStringRule,
  chooseLocale,
  clearPriorSession,
  clearSession,
  currentLocale,
  currentTag,
  endOnServer,
  isSignInPath,
  lastResponseAt,
  leaveForSignIn,
  noteResponse,
  onSessionElsewhere,
  rememberFlag,
  requestHeaders,
  storedLocale,
  storedToken,
  storedUsername,
  storedWorkId,
  storeSession,
  storeToken,
  storeWorkId,
  takeNotice,
  timezoneOffset,
} from './index.ts';

const signIn = (username = 'zhoumin', rememberMe = false) =>
  storeSession({ token: 'Bearer abc', username, rememberMe });

describe('languages', () => {
  test('zh_CN while nothing, or something unknown, is stored', () => {
    expect(currentLocale()).toBe('zh_CN');
    localStorage.setItem('locale', 'tlh_KL');
    expect(storedLocale()).toBeUndefined();
    expect(currentTag()).toBe('zh-CN');
  });

  test.each([
    ['Fri Nov 21 2025 10:00:00 GMT+0800 (中国标准时间)', 'zh_CN'],
    ['Fri Nov 21 2025 10:00:00 GMT+0800 (China Standard Time)', 'en_US'],
    ['Fri Nov 21 2025 03:00:00 GMT+0100 (heure normale d’Europe centrale)', 'en_US'],
  ])('a browser that says %s starts in %s', (timeString, locale) => {
    applyTimeStringRule(timeString);
    expect(currentLocale()).toBe(locale);
  });

  test('the time-string rule leaves a choice alone', () => {
    chooseLocale('ja_JP');
    applyTimeStringRule('Fri Nov 21 2025 10:00:00 GMT+0000 (GMT)');
    expect(currentLocale()).toBe('ja_JP');
  });
});

describe('what a request carries', () => {
  test('only the language and the zone before sign-in', () => {
    expect(Object.keys(requestHeaders()).sort()).toEqual(['Accept-Language', 'timezoneOffset']);
  });

  test('token, work area and language as stored', () => {
    signIn();
    storeWorkId(7);
    chooseLocale('fr_FR');
    expect(requestHeaders()).toMatchObject({ Authorization: 'Bearer abc', workid: '7', 'Accept-Language': 'fr-FR' });
    expect(requestHeaders({ background: true })['X-Background']).toBe('1');
    storeWorkId(undefined);
    expect(requestHeaders()).not.toHaveProperty('workid');
    expect(storedWorkId()).toBeUndefined();
  });

  test.each([
    [-480, 0],
    [-540, 60],
    [-60, -420],
    [300, -780],
  ])('a browser %i minutes west of UTC is %i minutes east of Beijing', (west, offset) => {
    expect(timezoneOffset({ getTimezoneOffset: () => west } as Date)).toBe(offset);
  });

  test('the last response is remembered for this tab', () => {
    expect(lastResponseAt()).toBeUndefined();
    noteResponse(1234);
    expect(lastResponseAt()).toBe(1234);
    expect(localStorage).toHaveLength(0);
  });
});

describe('the end of a session', () => {
  test('logout leaves nothing but the locale', () => {
    signIn('zhoumin', true);
    chooseLocale('ko_KR');
    sessionStorage.setItem('tabs', '[]');
    clearSession();
    expect({ ...localStorage }).toEqual({ locale: 'ko_KR' });
    expect(sessionStorage).toHaveLength(0);
  });

  test('entering /login keeps the account name only with remember-me', () => {
    signIn('zhoumin', true);
    clearPriorSession();
    expect([storedToken(), storedUsername(), rememberFlag()]).toEqual([undefined, 'zhoumin', 1]);
    signIn('zhoumin', false);
    clearPriorSession();
    expect([storedToken(), storedUsername(), rememberFlag()]).toEqual([undefined, '', 0]);
  });

  test('leaving tells the server and hands one notice to the sign-in page', async () => {
    const server = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('{}'));
    signIn();
    const went: string[] = [];
    leaveForSignIn('expired', (path) => went.push(path));
    expect(went).toEqual(['/login']);
    expect(server).toHaveBeenCalledExactlyOnceWith(
      '/api/system/logout',
      expect.objectContaining({
        method: 'POST',
        keepalive: true,
        headers: expect.objectContaining({ Authorization: 'Bearer abc' }),
      }),
    );
    expect([takeNotice(), takeNotice(), storedToken()]).toEqual(['expired', undefined, undefined]);
    await endOnServer();
    expect(server).toHaveBeenCalledTimes(1);
    server.mockRestore();
  });

  test.each([
    ['/login', true],
    ['/login/', true],
    ['/update-password', true],
    ['/login-loading', true],
    ['/home', false],
    ['/', false],
  ])('%s is a sign-in screen: %s', (path, is) => {
    expect(isSignInPath(path)).toBe(is);
  });
});

test('a tab hears what another tab did, but not of token refreshes', () => {
  signIn();
  const heard: string[] = [];
  const stop = onSessionElsewhere((change) => heard.push(change));
  const elsewhere = (work: () => void) => {
    work();
    window.dispatchEvent(new StorageEvent('storage', { key: 'token', storageArea: localStorage }));
  };
  elsewhere(() => storeToken('Bearer refreshed'));
  expect(heard).toEqual([]);
  elsewhere(clearSession);
  elsewhere(() => signIn('wangwei'));
  elsewhere(() => signIn('zhoumin'));
  expect(heard).toEqual(['ended', 'replaced', 'replaced']);
  stop();
  elsewhere(clearSession);
  expect(heard).toHaveLength(3);
});
