import { createStore } from 'zustand/vanilla';
import { session } from '../../session/index.ts';

/** At most so many pages stay open. */
export const MAX_TABS = 15;
/** Specified 2.12: the list of opened pages in session storage. */
const STORED = 'openedPageList';

export interface PageTab {
  /** The path without query: one tab a page. */
  key: string;
  /** Route name. */
  name: string;
  title: string;
  /** Key of the area `menu`, or null when the title is not translated (a lamp's code). */
  language: string | null;
  /** Path, query and hash: what the address bar shows while the tab is selected. */
  address: string;
  selected: boolean;
  pinned: boolean;
  /** The hand-over slot: ids that an opening page leaves for this one (temporary session store). */
  handOver: unknown;
  /** Rises when the page is to start anew (refresh, another hand-over). */
  revision: number;
  /** Rises with each visit: the least recently used goes first when room is needed. */
  usedAt: number;
  /** Shown since the page was loaded; a tab of the last time stays unrendered until then. */
  visited: boolean;
}

/** Home and pinned pages stay. */
export const closable = (tab: PageTab): boolean => tab.name !== 'home' && !tab.pinned;

export interface TabsState {
  tabs: readonly PageTab[];
  /** Keys of tabs with unsaved input. */
  unsaved: ReadonlySet<string>;
}

export interface Visit {
  key: string;
  name: string;
  title: string;
  language: string | null;
  address: string;
}

type StoredTab = Pick<PageTab, 'title' | 'name' | 'language' | 'selected' | 'address' | 'pinned' | 'handOver'>;

const homeFirst = (tabs: readonly PageTab[]): PageTab[] => [
  ...tabs.filter((tab) => tab.name === 'home'),
  ...tabs.filter((tab) => tab.name !== 'home' && tab.pinned),
  ...tabs.filter((tab) => tab.name !== 'home' && !tab.pinned),
];

const keyOf = (address: string): string => address.split(/[?#]/)[0] ?? address;

function restored(): PageTab[] {
  try {
    const stored: unknown = JSON.parse(session.get(STORED) ?? '[]');
    if (!Array.isArray(stored)) return [];
    return (stored as Partial<StoredTab>[])
      .filter(
        (tab): tab is StoredTab =>
          typeof tab.address === 'string' &&
          tab.address.startsWith('/') &&
          typeof tab.name === 'string' &&
          typeof tab.title === 'string',
      )
      .slice(0, MAX_TABS)
      .map((tab, index) => ({
        ...tab,
        language: tab.language ?? null,
        key: keyOf(tab.address),
        selected: false,
        pinned: tab.pinned === true,
        handOver: tab.handOver,
        revision: 0,
        usedAt: index,
        visited: false,
      }));
  } catch {
    return [];
  }
}

function persist({ tabs }: TabsState): void {
  const stored: StoredTab[] = tabs.map(({ title, name, language, selected, address, pinned, handOver }) => ({
    title,
    name,
    language,
    selected,
    address,
    pinned,
    handOver,
  }));
  session.set(STORED, JSON.stringify(stored));
}

/** The opened pages. Plain functions over one store, so that tests need no browser. */
export function createTabStore() {
  const store = createStore<TabsState>(() => ({ tabs: restored(), unsaved: new Set() }));
  store.subscribe(persist);
  let uses = MAX_TABS;
  const waiting = new Map<string, unknown>();
  const closers = new Map<string, Set<() => void>>();
  /** Which parts of a page hold unsaved input, by the key of their tab. */
  const holders = new Map<string, Set<string>>();

  const change = (work: (tabs: readonly PageTab[]) => PageTab[]): void =>
    store.setState(({ tabs }) => ({ tabs: homeFirst(work(tabs)) }));
  const patch = (key: string, values: Partial<PageTab>): void =>
    change((tabs) => tabs.map((tab) => (tab.key === key ? { ...tab, ...values } : tab)));

  function forget(keys: readonly string[]): void {
    for (const key of keys) {
      for (const closer of closers.get(key) ?? []) closer();
      closers.delete(key);
      holders.delete(key);
    }
    store.setState(({ unsaved }) => ({ unsaved: new Set([...unsaved].filter((key) => !keys.includes(key))) }));
  }

  /** The tab that makes room for one more: unpinned, saved, longest unused. */
  const replaceable = (): PageTab | undefined =>
    store
      .getState()
      .tabs.filter(
        (tab) => tab.name !== 'home' && !tab.pinned && !tab.selected && !store.getState().unsaved.has(tab.key),
      )
      .sort((a, b) => a.usedAt - b.usedAt)[0];

  return {
    ...store,
    /** Opens or selects the page of a visit. False: the strip is full of pinned or unsaved pages. */
    visit(visit: Visit): boolean {
      const known = store.getState().tabs.find((tab) => tab.key === visit.key);
      if (known === undefined && store.getState().tabs.length >= MAX_TABS) {
        const old = replaceable();
        if (old === undefined) return false;
        this.remove([old.key]);
      }
      uses += 1;
      const handed = waiting.has(visit.key);
      const handOver = waiting.get(visit.key);
      waiting.delete(visit.key);
      if (known === undefined) {
        const fresh: PageTab = {
          ...visit,
          selected: true,
          pinned: false,
          handOver,
          revision: 0,
          usedAt: uses,
          visited: true,
        };
        change((tabs) => [...tabs.map((tab) => ({ ...tab, selected: false })), fresh]);
        return true;
      }
      const anew = handed && JSON.stringify(handOver) !== JSON.stringify(known.handOver);
      if (anew) forget([visit.key]);
      change((tabs) =>
        tabs.map((tab) =>
          tab.key !== visit.key
            ? { ...tab, selected: false }
            : {
                ...tab,
                selected: true,
                address: visit.address,
                usedAt: uses,
                visited: true,
                ...(handed ? { handOver } : {}),
                ...(anew ? { revision: tab.revision + 1 } : {}),
              },
        ),
      );
      return true;
    },
    /** Home is always the first tab, opened or not; pages that the account may no longer open go. */
    settle(home: Visit | undefined, mayOpen: (path: string) => boolean): void {
      const gone = store
        .getState()
        .tabs.filter((tab) => !mayOpen(tab.key))
        .map((tab) => tab.key);
      if (gone.length > 0) this.remove(gone);
      if (home === undefined || store.getState().tabs.some((tab) => tab.key === home.key)) return;
      change((tabs) => [
        { ...home, selected: false, pinned: false, handOver: undefined, revision: 0, usedAt: 0, visited: false },
        ...tabs,
      ]);
    },
    /** No page is shown (the address is none of ours). */
    deselect: () => change((tabs) => tabs.map((tab) => (tab.selected ? { ...tab, selected: false } : tab))),
    /** Leaves something for the page that is opened next under this key. */
    handOver: (key: string, value: unknown) => void waiting.set(key, value),
    remove(keys: readonly string[]): void {
      forget(keys);
      change((tabs) => tabs.filter((tab) => !keys.includes(tab.key)));
    },
    refresh(key: string): void {
      forget([key]);
      change((tabs) => tabs.map((tab) => (tab.key === key ? { ...tab, revision: tab.revision + 1 } : tab)));
    },
    setTitle(key: string, title: string): void {
      const tab = store.getState().tabs.find((one) => one.key === key);
      if (tab !== undefined && (tab.title !== title || tab.language !== null)) patch(key, { title, language: null });
    },
    /** The menu calls the page something else now. */
    rename: (key: string, title: string, language: string | null) => patch(key, { title, language }),
    pin: (key: string, pinned: boolean) => patch(key, { pinned }),
    /** Puts a tab before the one at `index`; Home and pinned tabs keep their places in front. */
    move(key: string, index: number): void {
      change((tabs) => {
        const moved = tabs.find((tab) => tab.key === key);
        if (moved === undefined) return [...tabs];
        const rest = tabs.filter((tab) => tab.key !== key);
        return [...rest.slice(0, Math.max(1, index)), moved, ...rest.slice(Math.max(1, index))];
      });
    },
    /**
     * Several parts of a page may each hold unsaved input (`holder`); false without a holder speaks for all of them.
     */
    setUnsaved(key: string, unsaved: boolean, holder = ''): void {
      const held = holders.get(key) ?? new Set<string>();
      if (unsaved) holders.set(key, held.add(holder));
      else if (holder === '') held.clear();
      else held.delete(holder);
      if (store.getState().unsaved.has(key) === held.size > 0) return;
      const next = new Set(store.getState().unsaved);
      if (unsaved) next.add(key);
      else next.delete(key);
      store.setState({ unsaved: next });
    },
    /** Runs when the tab is closed or starts anew. Returns the stop function. */
    onClosed(key: string, closer: () => void): () => void {
      const known = closers.get(key) ?? new Set();
      closers.set(key, known.add(closer));
      return () => void known.delete(closer);
    },
    /** The tab that is shown when this one closes: the right neighbour, else the left one. */
    neighbour(key: string): PageTab | undefined {
      const { tabs } = store.getState();
      const index = tabs.findIndex((tab) => tab.key === key);
      return tabs[index + 1] ?? tabs[index - 1];
    },
  };
}
export type TabStore = ReturnType<typeof createTabStore>;
