import { act, configure, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clearSession, leaveForSignIn, startPreview, storedToken, storeSession } from '../../session/index.ts';
import { openPreviewDoor } from './door.tsx';

configure({ asyncUtilTimeout: 8_000 });

const begun = { token: 'Bearer preview', username: 'wangwei', displayName: '王伟' };
let root: HTMLElement;

beforeEach(() => {
  storeSession({ token: 'Bearer admin', username: 'admin', rememberMe: false });
  // jsdom does not navigate, and says so.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  root = document.body.appendChild(document.createElement('div'));
});
afterEach(() => {
  root.remove();
  window.opener = null;
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const open = () => act(() => openPreviewDoor(root));

test('takes the token from the tab that opened it, keeps it for itself, and lets go of that tab', async () => {
  const opener = {
    postMessage: (data: unknown, to: string) => {
      expect([data, to]).toEqual([{ type: 'lampyris-preview-ready' }, window.location.origin]);
      const reply = new MessageEvent('message', {
        data: { type: 'lampyris-preview-token', ...begun },
        origin: window.location.origin,
      });
      Object.defineProperty(reply, 'source', { value: opener });
      queueMicrotask(() => window.dispatchEvent(reply));
    },
  };
  window.opener = opener;
  await open();
  expect([storedToken(), localStorage.getItem('token'), window.opener]).toEqual([
    'Bearer preview',
    'Bearer admin',
    null,
  ]);
});

test('says that the preview is over, or that the account has no menu; the way back leads to the own console', async () => {
  startPreview(begun);
  clearSession();
  await open();
  expect(await screen.findByRole('heading', { name: '预览已结束' })).toBeTruthy();
  act(() => screen.getByRole('button', { name: '回到我的控制台' }).click());
  expect([storedToken(), sessionStorage.getItem('preview')]).toEqual(['Bearer admin', null]);
  root.replaceWith((root = document.createElement('div')));
  startPreview(begun);
  leaveForSignIn('routesFailed', () => undefined);
  await open();
  expect(await screen.findByRole('heading', { name: '没有可以预览的内容' })).toBeTruthy();
});
