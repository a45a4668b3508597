import { ConfigProvider } from 'antd';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, configure, fireEvent, render, screen } from '@testing-library/react';
import { Suspense, type ComponentType, type ReactNode } from 'react';
import { I18nextProvider } from 'react-i18next';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, vi } from 'vitest';
import type { createBaseMap, updateBaseMap } from '../../../../../../contract/shell/base-maps.ts';
import {
  deleteBaseMap,
  listBaseMaps,
  listBaseMapSettings,
  orderBaseMaps,
  testBaseMap,
} from '../../../../../../contract/shell/base-maps.ts';
import { getBaseMap } from '../../../../../../contract/shell/demo.ts';
import type { ReplyOf } from '../../../../../../contract/route.ts';
import { createQueryClient } from '../../../../api/index.ts';
import { MenuContext } from '../../../../frame/menu/menu-context.ts';
import { AskHost } from '../../../../app/shell/AskHost.tsx';
import { TabKeyContext, TabStoreContext } from '../../../../frame/tabs/tab-context.ts';
import { createTabStore } from '../../../../frame/tabs/tab-store.ts';
import { startI18n } from '../../../../locales/i18n.ts';
import { Toasts } from '../../../../parts/index.ts';
import { toasts } from '../../../../frame/toast-store.ts';
import { contractServer, type ContractServer } from '../../../../testing/contract-server.ts';
import type { BaseMapSetting } from '../map-values.ts';

/** Screens of base maps over a grid and a map of the city. Call it at the top of a test file. */
export function mapsPage() {
  const grid: BaseMapSetting = {
    id: 1,
    version: 1,
    kind: 'grid',
    name: null,
    style: null,
    system: 'WGS84',
    format: 'raster',
    minZoom: 0,
    maxZoom: 19,
    tileSize: 256,
    attribution: null,
    layers: 0,
    isDefault: true,
    address: null,
    hasKey: false,
    file: null,
    allowPrivate: false,
    isEnabled: true,
  };
  const city: BaseMapSetting = {
    ...grid,
    id: 3,
    version: 4,
    kind: 'xyz',
    name: '市政底图',
    layers: 1,
    isDefault: false,
    address: 'https://tiles.example/{z}/{x}/{y}.png?tk={key}',
    hasKey: true,
  };
  const good: ReplyOf<typeof testBaseMap>['layers'][number] = {
    address: 'https://tiles.example/15/1/2.png?tk=***',
    status: 200,
    ms: 12,
    bytes: 3204,
    contentType: 'image/png',
    width: 256,
    height: 256,
    problem: null,
    detail: null,
    picture: 'data:image/png;base64,iVBORw0KGgo=',
  };
  const answer = (layers: ReplyOf<typeof testBaseMap>['layers']): ReplyOf<typeof testBaseMap> => ({
    at: '2026-11-21T12:00:00.000Z',
    system: 'WGS84',
    stated: { longitude: 120.2, latitude: 30.2 },
    tile: { z: 15, x: 1, y: 2 },
    layers,
  });
  let all: BaseMapSetting[] = [];
  let server: ContractServer;
  configure({ asyncUtilTimeout: 8_000 });
  vi.setConfig({ testTimeout: 30_000 });

  const open = (Screen: ComponentType, path: string, heading: string) => openNode(<Screen />, path, heading);
  /** Shows a screen; answers with a way to show something else in its place. */
  async function openNode(first: ReactNode, path: string, heading: string) {
    const [i18n, client, tabs] = [await startI18n('zh-CN'), createQueryClient(), createTabStore()];
    const around = (node: ReactNode) => (
      <ConfigProvider button={{ autoInsertSpace: false }} theme={{ token: { motion: false } }}>
        <I18nextProvider i18n={i18n}>
          <QueryClientProvider client={client}>
            <MemoryRouter initialEntries={[path]}>
              <MenuContext value={{ top: [], pages: [], codes: new Set(['site.maps']) }}>
                <TabStoreContext value={tabs}>
                  <TabKeyContext value="/x">
                    <main>
                      <Suspense fallback="…">{node}</Suspense>
                    </main>
                    <AskHost />
                    <Toasts />
                  </TabKeyContext>
                </TabStoreContext>
              </MenuContext>
            </MemoryRouter>
          </QueryClientProvider>
        </I18nextProvider>
      </ConfigProvider>
    );
    const { rerender } = render(around(first));
    await screen.findByText(heading, {}, { timeout: 8_000 });
    return (node: ReactNode): void => rerender(around(node));
  }
  const type = (label: RegExp, value: string): void => {
    fireEvent.change(screen.getByLabelText(label), { target: { value } });
  };
  const press = (name: string | RegExp): void => {
    fireEvent.click(screen.getByRole('button', { name }));
  };
  const sent = (
    route: typeof createBaseMap | typeof updateBaseMap | typeof orderBaseMaps | typeof testBaseMap,
  ): unknown[] => server.of(route).map(({ body }) => JSON.parse(body) as unknown);

  beforeEach(async () => {
    toasts.setState([], true);
    all = [grid, city];
    server = await contractServer();
    server.answer(getBaseMap, { type: 'FeatureCollection', features: [] });
    server.answer(listBaseMapSettings, () => ({
      data: all,
      recordsTotal: all.length,
      place: { longitude: 120.2, latitude: 30.2 },
    }));
    server.answer(listBaseMaps, () => ({ data: all.filter(({ isEnabled }) => isEnabled), recordsTotal: all.length }));
    server.answer(testBaseMap, answer([good]));
    server.on(orderBaseMaps, () => ({ status: 204, body: '' }));
    server.on(deleteBaseMap, () => ({ status: 204, body: '' }));
  });
  afterEach(async () => {
    cleanup();
    await server.close();
  });

  /** What is asked of zoom 15 is answered when the test lets it go, and refused then; everything else at once. */
  function slowAt15(): () => void {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    server.on(testBaseMap, async ({ body }) => {
      const isOld = (JSON.parse(body) as { zoom: number }).zoom === 15;
      if (isOld) await promise;
      return {
        status: 200,
        body: answer([isOld ? { ...good, problem: 'keyRefused', status: 403, picture: null } : good]),
      };
    });
    return () => resolve(undefined);
  }

  return {
    grid,
    city,
    good,
    answer,
    get all() {
      return all;
    },
    set all(next) {
      all = next;
    },
    get server() {
      return server;
    },
    open,
    openNode,
    type,
    press,
    sent,
    slowAt15,
  };
}
