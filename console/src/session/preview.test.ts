import { beforeEach, describe, expect, test } from 'vitest';
import { inPreview, leavePreview, previewed, startPreview } from './preview.ts';
import { givePreview, NoPreview, receivePreview } from './preview-handover.ts';
import {
  chooseLocale,
  clearSession,
  currentLocale,
  leaveForSignIn,
  onSessionElsewhere,
  rememberFlag,
  requestHeaders,
  storedToken,
  storedUsername,
  storedWorkId,
  storeSession,
  storeToken,
  storeWorkId,
} from './index.ts';

const begun = { token: 'Bearer preview', username: 'wangwei', displayName: '王伟' };

beforeEach(() => {
  storeSession({ token: 'Bearer admin', username: 'admin', rememberMe: true });
  storeWorkId(7);
  chooseLocale('fr_FR');
  localStorage.setItem('theme', 'dark');
  // What window.open copies from the opening tab.
  sessionStorage.setItem('openedPageList', '[{"address":"/user-management"}]');
});

const shared = () => ({ ...localStorage });

test('the preview’s token goes before the stored one; the opening tab’s pages and work area do not come along, its language and look do', () => {
  startPreview(begun);
  expect([inPreview(), storedToken(), storedUsername(), storedWorkId(), rememberFlag()]).toEqual([
    true,
    'Bearer preview',
    'wangwei',
    undefined,
    0,
  ]);
  expect(previewed()).toEqual({ username: 'wangwei', displayName: '王伟' });
  expect([currentLocale(), sessionStorage.getItem('openedPageList')]).toEqual(['fr_FR', null]);
  expect(requestHeaders()).toMatchObject({ Authorization: 'Bearer preview' });
});

test('nothing a preview does touches what other tabs share', () => {
  const before = shared();
  startPreview(begun);
  storeToken('Bearer preview two');
  storeWorkId(9);
  chooseLocale('ja_JP');
  expect([storedToken(), storedWorkId(), currentLocale()]).toEqual(['Bearer preview two', '9', 'ja_JP']);
  clearSession();
  expect(shared()).toEqual(before);
});

test('after its end a preview is nobody, never the administrator; leaving it makes the tab an ordinary one', () => {
  startPreview(begun);
  const went: string[] = [];
  leaveForSignIn('expired', (path) => went.push(path));
  expect([went, storedToken(), inPreview(), previewed()]).toEqual([['/preview'], undefined, true, undefined]);
  expect(requestHeaders()).not.toHaveProperty('Authorization');
  expect(localStorage.getItem('token')).toBe('Bearer admin');
  leavePreview();
  expect([inPreview(), storedToken()]).toEqual([false, 'Bearer admin']);
});

test('a preview does not hear of sessions in other tabs', () => {
  startPreview(begun);
  const heard: string[] = [];
  const stop = onSessionElsewhere((change) => heard.push(change));
  localStorage.removeItem('token');
  window.dispatchEvent(new StorageEvent('storage', { key: 'token', storageArea: localStorage }));
  expect(heard).toEqual([]);
  stop();
});

describe('the token on its way into the new tab', () => {
  /**
   * Two windows of one origin: what is posted to one arrives at the listeners of this page, as coming from the other.
   */
  const windows = () => {
    const posted: { data: unknown; to: string }[] = [];
    const tab = { postMessage: (data: unknown, to: string) => posted.push({ data, to }) } as unknown as Window;
    const hear = (data: unknown, source: unknown, origin = window.location.origin): void => {
      const event = new MessageEvent('message', { data, origin });
      Object.defineProperty(event, 'source', { value: source });
      window.dispatchEvent(event);
    };
    return { posted, tab, hear };
  };

  test('is given once, to the tab that was opened, of the own origin', async () => {
    const { posted, tab, hear } = windows();
    const given = givePreview(tab, Promise.resolve(begun));
    hear({ type: 'lampyris-preview-ready' }, {});
    hear({ type: 'lampyris-preview-ready' }, tab, 'https://elsewhere.example');
    hear({ type: 'something' }, tab);
    expect(posted).toEqual([]);
    hear({ type: 'lampyris-preview-ready' }, tab);
    await given;
    expect(posted).toEqual([{ data: { type: 'lampyris-preview-token', ...begun }, to: window.location.origin }]);
    hear({ type: 'lampyris-preview-ready' }, tab);
    expect(posted).toHaveLength(1);
  });

  test('is taken only from the opener', async () => {
    const { posted, tab: opener, hear } = windows();
    const received = receivePreview(opener);
    expect(posted).toEqual([{ data: { type: 'lampyris-preview-ready' }, to: window.location.origin }]);
    hear({ type: 'lampyris-preview-token', ...begun, token: 'Bearer forged' }, {});
    hear({ type: 'lampyris-preview-token', ...begun, token: 'Bearer forged' }, opener, 'https://elsewhere.example');
    hear({ type: 'lampyris-preview-token', token: 7 }, opener);
    hear({ type: 'lampyris-preview-token', ...begun }, opener);
    expect(await received).toEqual(begun);
  });

  test('a preview that did not begin is told to who asked for it; a tab that never asks, or is never answered, gives up', async () => {
    const { tab } = windows();
    await expect(givePreview(tab, Promise.reject(new Error('rank too high')))).rejects.toThrow('rank too high');
    await expect(givePreview(tab, new Promise(() => undefined), 1)).rejects.toThrow(NoPreview);
    await expect(receivePreview(tab, 1)).rejects.toThrow(NoPreview);
  });
});
