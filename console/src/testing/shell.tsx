import { QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { ConfigProvider } from 'antd';
import { Suspense, type ReactNode } from 'react';
import { I18nextProvider } from 'react-i18next';
import { MemoryRouter, useLocation } from 'react-router';
import { expect, onTestFinished, vi } from 'vitest';
import { useStore } from 'zustand';
import type { RouteShape } from '../../../contract/route.ts';
import { connectLive, createQueryClient, LiveContext, type LiveConnection } from '../api/index.ts';
import { keepFocus } from '../app/focus/keep-focus.ts';
import { MenuContext } from '../frame/menu/menu-context.ts';
import type { PageRoute } from '../frame/menu/menu.ts';
import { POPUPS } from '../app/settings/LookProvider.tsx';
import { TabKeyContext, TabStoreContext } from '../frame/tabs/tab-context.ts';
import { createTabStore } from '../frame/tabs/tab-store.ts';
import { startI18n } from '../locales/i18n.ts';
import { namesFor } from '../locales/catalogue-names.ts';
import { PageRegion } from '../parts/index.ts';
import { storeToken } from '../session/index.ts';
import type { ContractServer } from './contract-server.ts';

interface Surroundings {
  /** Where the page stands; its path is the key of its tab. */
  readonly address?: string;
  /** The permission codes the account holds. */
  readonly codes?: readonly string[];
  /** The screens the account has. */
  readonly pages?: readonly string[];
  /** What the opening page left for this one. */
  readonly handOver?: unknown;
  /** Whose live line the page listens to; without it there is none. */
  readonly live?: ContractServer;
}

const pageOf = (name: string): PageRoute => ({
  name,
  screen: name,
  path: `/${name}`,
  title: name,
  language: null,
  icon: null,
  parents: [],
  permissionCode: null,
});

/** The live line of a server, open: what the server tells from now on is heard. */
async function openLive(server: ContractServer): Promise<LiveConnection> {
  storeToken('Bearer x');
  const live = connectLive({ url: server.liveUrl, signedOut: () => undefined });
  onTestFinished(() => live.stop());
  await new Promise<void>((open) => {
    live.onState(() => {
      if (live.state().state === 'live') open();
    });
  });
  return live;
}

/**
 * A page in what the shell puts around it, in Chinese and without motion: menu, its tab (where it stands as long as
 * that is open), address and live line. Resolves when it has been drawn for the first time.
 */
export async function renderInShell(
  what: ReactNode,
  { address = '/x', codes = [], pages = [], handOver, live }: Surroundings = {},
) {
  const tabs = createTabStore();
  const key = address.replace(/\?.*/, '');
  if (handOver !== undefined) tabs.handOver(key, handOver);
  tabs.visit({ key, name: key.slice(1), title: key, language: null, address: key });
  let at = address;
  const Address = () => {
    const { pathname, search } = useLocation();
    at = pathname + search;
    return null;
  };
  const WhileOpen = () => (useStore(tabs, (state) => state.tabs.some((tab) => tab.key === key)) ? what : <p>closed</p>);
  onTestFinished(keepFocus(POPUPS));
  const [i18n, line] = await Promise.all([startI18n('zh-CN'), live ? openLive(live) : null, namesFor('zh-CN')]);
  await act(async () => {
    render(
      <ConfigProvider button={{ autoInsertSpace: false }} theme={{ token: { motion: false } }}>
        <I18nextProvider i18n={i18n}>
          <QueryClientProvider client={createQueryClient()}>
            <LiveContext value={line}>
              <MemoryRouter initialEntries={[address]}>
                <MenuContext value={{ top: [], pages: pages.map(pageOf), codes: new Set(codes) }}>
                  <TabStoreContext value={tabs}>
                    <TabKeyContext value={key}>
                      <PageRegion>
                        <Suspense fallback="…">
                          <WhileOpen />
                        </Suspense>
                      </PageRegion>
                      <Address />
                    </TabKeyContext>
                  </TabStoreContext>
                </MenuContext>
              </MemoryRouter>
            </LiveContext>
          </QueryClientProvider>
        </I18nextProvider>
      </ConfigProvider>,
    );
    await Promise.resolve();
  });
  return { tabs, live: line, /** Path and search as they are now. */ address: () => at };
}

/** The window is as narrow as a phone, until the test is over. */
export function asOnPhone(): void {
  const wide = window.matchMedia.bind(window);
  vi.stubGlobal('matchMedia', (query: string) => ({ ...wide(query), matches: query.includes('max-width: 599px') }));
  onTestFinished(() => void vi.unstubAllGlobals());
}

// Awaited: all that the event leads to has been drawn.
const click = (one: HTMLElement): Promise<void> => act(async () => void fireEvent.click(one));

/**
 * Presses a button, once it is there and free: what waits for an answer, or will not be pressed, is not pressed in
 * silence.
 */
export const press = async (name: string | RegExp): Promise<void> =>
  click(
    await waitFor(() => {
      const button = screen.getByRole<HTMLButtonElement>('button', { name });
      const isFree =
        !button.disabled &&
        button.getAttribute('aria-disabled') !== 'true' &&
        !button.classList.contains('ant-btn-loading');
      expect(isFree, `the button ${String(name)} can be pressed`).toBe(true);
      return button;
    }),
  );

/** Opens a select box and takes the option that has this text in it, once it is offered. */
export async function chooseOption(box: HTMLElement, text: string): Promise<void> {
  await act(async () => void fireEvent.mouseDown(box));
  await click(
    await waitFor(() => {
      const found = [
        ...document.querySelectorAll<HTMLElement>(
          '.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option-content',
        ),
      ].find((one) => one.textContent.includes(text));
      expect(found, `the option ${text}`).toBeDefined();
      return found!;
    }),
  );
}

/** What a request of a route carried: the last one's, or the one asked for. */
export const bodyOf = (server: ContractServer, route: RouteShape, index = -1): unknown =>
  JSON.parse(server.of(route).at(index)?.body ?? 'null');
