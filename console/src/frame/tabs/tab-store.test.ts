import { expect, test, vi } from 'vitest';
import { createTabStore, MAX_TABS, type Visit } from './tab-store.ts';

const visit = (key: string, values: Partial<Visit> = {}): Visit => ({
  key,
  name: key.slice(1),
  title: key,
  language: null,
  address: key,
  ...values,
});
const home = visit('/home');
const keys = (store: ReturnType<typeof createTabStore>): string[] => store.getState().tabs.map((tab) => tab.key);

test('Home is always the first, and exactly one page is selected', () => {
  const tabs = createTabStore();
  tabs.visit(visit('/a'));
  tabs.settle(home, () => true);
  tabs.visit(visit('/b'));
  expect(keys(tabs)).toEqual(['/home', '/a', '/b']);
  expect(
    tabs
      .getState()
      .tabs.filter((tab) => tab.selected)
      .map((tab) => tab.key),
  ).toEqual(['/b']);
});

test('the list is kept in session storage: title, name, language key, selected flag', () => {
  const tabs = createTabStore();
  tabs.visit(
    visit('/lamp/monitor', {
      name: 'lamp-monitor',
      title: '单灯监控',
      language: 'lamp/monitor',
      address: '/lamp/monitor?q=1',
    }),
  );
  const stored: unknown = JSON.parse(sessionStorage.getItem('openedPageList') ?? '');
  expect(stored).toMatchObject([
    { title: '单灯监控', name: 'lamp-monitor', language: 'lamp/monitor', selected: true, address: '/lamp/monitor?q=1' },
  ]);
  const again = createTabStore().getState().tabs[0];
  expect(again).toMatchObject({ key: '/lamp/monitor', address: '/lamp/monitor?q=1', selected: false, visited: false });
});

test('damaged storage opens nothing and breaks nothing', () => {
  sessionStorage.setItem('openedPageList', '[{"title":1},null,{"address":"javascript:x","name":"x","title":"x"}');
  expect(createTabStore().getState().tabs).toEqual([]);
});

test('the same page with another query is the same tab, with the new address', () => {
  const tabs = createTabStore();
  tabs.visit(visit('/a'));
  tabs.visit(visit('/a', { address: '/a?page=2' }));
  expect(tabs.getState().tabs).toMatchObject([{ key: '/a', address: '/a?page=2', revision: 0 }]);
});

test('the 16th page takes the place of the longest unused one that is neither pinned, unsaved nor Home', () => {
  const tabs = createTabStore();
  tabs.visit(home);
  for (let index = 1; index < MAX_TABS; index += 1) tabs.visit(visit(`/p${index}`));
  tabs.pin('/p1', true);
  tabs.setUnsaved('/p2', true);
  expect(tabs.visit(visit('/new'))).toBe(true);
  expect(keys(tabs)).toHaveLength(MAX_TABS);
  expect(keys(tabs)).not.toContain('/p3');
  expect(keys(tabs)).toEqual(expect.arrayContaining(['/home', '/p1', '/p2', '/new']));
});

test('when nothing may go, the 16th is refused', () => {
  const tabs = createTabStore();
  tabs.visit(home);
  for (let index = 1; index < MAX_TABS; index += 1) {
    tabs.visit(visit(`/p${index}`));
    tabs.setUnsaved(`/p${index}`, true);
  }
  expect(tabs.visit(visit('/new'))).toBe(false);
  expect(keys(tabs)).not.toContain('/new');
});

test('one hand-over slot a tab: another value starts the page anew, the same does not', () => {
  const tabs = createTabStore();
  tabs.handOver('/user-edit', { id: 1 });
  tabs.visit(visit('/user-edit'));
  expect(tabs.getState().tabs[0]).toMatchObject({ handOver: { id: 1 }, revision: 0 });
  tabs.visit(visit('/user-edit'));
  tabs.handOver('/user-edit', { id: 1 });
  tabs.visit(visit('/user-edit'));
  expect(tabs.getState().tabs[0]).toMatchObject({ handOver: { id: 1 }, revision: 0 });
  tabs.handOver('/user-edit', { id: 2 });
  tabs.visit(visit('/user-edit'));
  expect(tabs.getState().tabs[0]).toMatchObject({ handOver: { id: 2 }, revision: 1 });
});

test('pinned tabs stand behind Home, and moving keeps Home in front', () => {
  const tabs = createTabStore();
  for (const key of ['/home', '/a', '/b', '/c']) tabs.visit(visit(key));
  tabs.pin('/c', true);
  expect(keys(tabs)).toEqual(['/home', '/c', '/a', '/b']);
  tabs.move('/b', 0);
  expect(keys(tabs)).toEqual(['/home', '/c', '/b', '/a']);
});

test('closing forgets unsaved marks and disposes of what the tab kept, once', () => {
  const tabs = createTabStore();
  const dispose = vi.fn();
  tabs.visit(visit('/a'));
  tabs.setUnsaved('/a', true);
  tabs.onClosed('/a', dispose);
  tabs.remove(['/a']);
  tabs.remove(['/a']);
  expect(dispose).toHaveBeenCalledTimes(1);
  expect(tabs.getState().unsaved.size).toBe(0);
});

test('several parts of a page hold input: it counts as saved when none does, or when that is said of the whole page', () => {
  const tabs = createTabStore();
  tabs.visit(visit('/a'));
  tabs.setUnsaved('/a', true, 'form');
  tabs.setUnsaved('/a', true, 'files');
  tabs.setUnsaved('/a', false, 'form');
  expect([...tabs.getState().unsaved]).toEqual(['/a']);
  tabs.setUnsaved('/a', false, 'files');
  expect([...tabs.getState().unsaved]).toEqual([]);
  tabs.setUnsaved('/a', true, 'form');
  tabs.setUnsaved('/a', false);
  expect([...tabs.getState().unsaved]).toEqual([]);
  tabs.setUnsaved('/a', true, 'form');
  tabs.remove(['/a']);
  tabs.visit(visit('/a'));
  tabs.setUnsaved('/a', true, 'files');
  tabs.setUnsaved('/a', false, 'files');
  expect([...tabs.getState().unsaved]).toEqual([]);
});

test('pages that the account may no longer open go', () => {
  const tabs = createTabStore();
  for (const key of ['/home', '/a', '/b']) tabs.visit(visit(key));
  tabs.settle(home, (path) => path !== '/a');
  expect(keys(tabs)).toEqual(['/home', '/b']);
});
