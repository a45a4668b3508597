import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { useOpen } from '../index.ts';
import { Toasts } from '../../parts/index.ts';
import { toasts } from '../toast-store.ts';
import { press, renderInShell } from '../../testing/shell.tsx';

beforeEach(() => toasts.setState([], true));
afterEach(cleanup);

function Buttons() {
  const open = useOpen();
  return (
    <>
      <button type="button" onClick={() => open('asset/roads', { search: '?q=x' })}>
        道路
      </button>
      <button type="button" onClick={() => open('asset/loops')}>
        回路
      </button>
      <Toasts />
    </>
  );
}

test('a page that the role has is opened; of one that it has not, a warning says so and nothing moves', async () => {
  const { address } = await renderInShell(<Buttons />, { address: '/home', pages: ['asset/roads'] });
  await press('回路');
  expect(await screen.findByText('您的角色没有这个页面')).toBeTruthy();
  expect(address()).toBe('/home');
  await press('道路');
  expect(address()).toBe('/asset/roads?q=x');
});
