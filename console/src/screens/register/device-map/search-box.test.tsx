import { cleanup, configure, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { search } from '../../../../../contract/register/search.ts';
import { contractServer, type ContractServer } from '../../../testing/contract-server.ts';
import { renderInShell } from '../../../testing/shell.tsx';
import { SearchBox, type FoundThing } from './SearchBox.tsx';

configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });

let server: ContractServer;
const found: FoundThing[] = [];

beforeEach(async () => {
  found.length = 0;
  server = await contractServer();
  server.answer(search, {
    groups: [{ kind: 'pole', items: [{ id: 5, family: 'lamp-pole', code: 'P-5', name: '五号灯杆', place: null }] }],
  });
});
afterEach(async () => {
  cleanup();
  await server.close();
});

async function look(): Promise<HTMLElement> {
  await renderInShell(<SearchBox onFound={(thing) => found.push(thing)} />);
  const box = await screen.findByRole('combobox');
  box.focus();
  fireEvent.change(box, { target: { value: 'P' } });
  await screen.findByText('P-5');
  return box;
}

test('what is found is chosen with Enter', async () => {
  fireEvent.keyDown(await look(), { key: 'Enter', keyCode: 13 });
  expect(found).toEqual([{ kind: 'pole', id: 5, name: '五号灯杆' }]);
});

test('Tab goes on to the next control and flies nowhere', async () => {
  const box = await look();
  fireEvent.keyDown(box, { key: 'Tab', keyCode: 9 });
  expect(found).toEqual([]);
  expect(box.getAttribute('aria-expanded')).toBe('false');
});
