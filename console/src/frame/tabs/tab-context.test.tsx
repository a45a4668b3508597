import { act, cleanup, render, screen } from '@testing-library/react';
import { Activity } from 'react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useGone, useKept, useTab, useUnsaved } from '../index.ts';
import { TabKeyContext, TabStoreContext } from './tab-context.ts';
import { createTabStore, type TabStore } from './tab-store.ts';

let tabs: TabStore;
const dispose = vi.fn();
beforeEach(() => {
  vi.clearAllMocks();
  tabs = createTabStore();
  for (const key of ['/home', '/edit'])
    tabs.visit({ key, name: key.slice(1), title: key, language: null, address: key });
});
afterEach(cleanup);

function Form() {
  const { handOver } = useTab<{ id: number }>();
  useUnsaved(true);
  const kept = useKept(() => ({ made: true }), dispose);
  return <p>{`id ${handOver?.id ?? 'none'}, kept ${kept.made}`}</p>;
}

const page = (mode: 'visible' | 'hidden', content = <Form />) => (
  <MemoryRouter>
    <TabStoreContext value={tabs}>
      <TabKeyContext value="/edit">
        <Activity mode={mode}>{content}</Activity>
      </TabKeyContext>
    </TabStoreContext>
  </MemoryRouter>
);

test('a page finds in its slot what the opening page left there', () => {
  tabs.handOver('/edit', { id: 7 });
  tabs.visit({ key: '/edit', name: 'edit', title: '/edit', language: null, address: '/edit' });
  render(page('visible'));
  expect(screen.getByText('id 7, kept true')).toBeTruthy();
});

test('input stays unsaved while its tab is hidden, and is forgotten when the form goes', () => {
  const view = render(page('visible'));
  expect([...tabs.getState().unsaved]).toEqual(['/edit']);
  act(() => void tabs.visit({ key: '/home', name: 'home', title: '/home', language: null, address: '/home' }));
  view.rerender(page('hidden'));
  expect([...tabs.getState().unsaved]).toEqual(['/edit']);
  act(() => void tabs.visit({ key: '/edit', name: 'edit', title: '/edit', language: null, address: '/edit' }));
  view.rerender(page('visible'));
  view.rerender(page('visible', <p>saved</p>));
  expect([...tabs.getState().unsaved]).toEqual([]);
});

test('what a page keeps lives until its tab is closed', () => {
  const view = render(page('visible'));
  view.rerender(page('hidden'));
  expect(dispose).not.toHaveBeenCalled();
  act(() => tabs.remove(['/edit']));
  expect(dispose).toHaveBeenCalledExactlyOnceWith({ made: true });
});

const gone = vi.fn();
function Sending() {
  useGone(gone);
  return <p>sending</p>;
}

test('a part of a page is gone when the page drops it or its tab closes, not when the tab is hidden', () => {
  const view = render(page('visible', <Sending />));
  act(() => void tabs.visit({ key: '/home', name: 'home', title: '/home', language: null, address: '/home' }));
  view.rerender(page('hidden', <Sending />));
  expect(gone).not.toHaveBeenCalled();
  act(() => void tabs.visit({ key: '/edit', name: 'edit', title: '/edit', language: null, address: '/edit' }));
  view.rerender(page('visible', <Sending />));
  expect(gone).not.toHaveBeenCalled();
  view.rerender(page('visible', <p>dropped</p>));
  expect(gone).toHaveBeenCalledTimes(1);
  view.rerender(page('visible', <Sending />));
  gone.mockClear();
  act(() => void tabs.visit({ key: '/home', name: 'home', title: '/home', language: null, address: '/home' }));
  view.rerender(page('hidden', <Sending />));
  act(() => tabs.remove(['/edit']));
  expect(gone).toHaveBeenCalled();
});
