import axe from 'axe-core';
import { ConfigProvider } from 'antd';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { Activity, Suspense, type ComponentType, type ReactNode } from 'react';
import { I18nextProvider } from 'react-i18next';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  createBaseMap,
  deleteBaseMap,
  listBaseMaps,
  listBaseMapSettings,
  orderBaseMaps,
  testBaseMap,
  updateBaseMap,
  uploadBaseMapFile,
} from '../../../../../contract/shell/base-maps.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { createQueryClient } from '../../../api/index.ts';
import { MenuContext } from '../../../frame/menu/menu-context.ts';
import { AskHost } from '../../../app/shell/AskHost.tsx';
import { TabKeyContext, TabStoreContext } from '../../../frame/tabs/tab-context.ts';
import { createTabStore } from '../../../frame/tabs/tab-store.ts';
import { startI18n } from '../../../locales/i18n.ts';
import { Toasts } from '../../../parts/index.ts';
import { toasts } from '../../../frame/toast-store.ts';
import { contractServer, type ContractServer } from '../../../testing/contract-server.ts';
import MapTest from '../map-test/index.tsx';
import BaseMaps from './index.tsx';
import { bodyOf, keyLost, problemsOf, startOf, valuesOf, type BaseMapSetting } from './map-values.ts';

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

describe('settings', () => {
  test('a stored one is changed by what was touched, with its version; its key stays where it is; axe finds nothing', async () => {
    server.answer(updateBaseMap, ({ body }) => ({ ...city, ...(JSON.parse(body) as object), version: 5 }));
    await open(BaseMaps, '/s?id=3', '服务的应答');
    expect(screen.getByPlaceholderText('已保存，不显示')).toBeTruthy();
    await screen.findByText('应答正常');
    type(/^名称/, '市政底图二');
    press('保存');
    await screen.findByText('底图已保存');
    expect(sent(updateBaseMap)).toEqual([{ name: '市政底图二', version: 4 }]);
    const { violations } = await axe.run(document.querySelector('main')!, {
      rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
    });
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  });

  test('everything wrong is said at once, beside its field, and nothing is sent', async () => {
    await open(BaseMaps, '/s?new=xyz', '服务的应答');
    type(/^地址/, 'https://tiles.example/{z}/{x}.png');
    press('保存');
    expect(await screen.findByText('有 2 处需要修改')).toBeTruthy();
    expect(screen.getByText('缺少 {z}、{x} 或 {y}')).toBeTruthy();
    expect(sent(createBaseMap)).toEqual([]);
    expect(sent(testBaseMap)).toEqual([]);
  });

  test('a new one: what the service answers is seen before it is saved; the server’s objection stands at its field', async () => {
    server.refuse(createBaseMap, 400, {
      code: 1001,
      params: [{ field: 'key', rule: 'required', message: '密钥必填' }],
    });
    server.answer(
      testBaseMap,
      answer([{ ...good, problem: 'keyRefused', status: 403, picture: null, detail: 'tk invalid' }]),
    );
    await open(BaseMaps, '/s?new=tianditu', '服务的应答');
    type(/^密钥/, 'k-1');
    expect(await screen.findByText(/密钥被拒绝/)).toBeTruthy();
    expect(screen.getByText('服务说：tk invalid')).toBeTruthy();
    expect(sent(testBaseMap).at(-1)).toMatchObject({
      settings: { kind: 'tianditu', style: 'vec', key: 'k-1' },
      longitude: 120.2,
      latitude: 30.2,
    });
    press('保存');
    expect(await screen.findByText('密钥必填')).toBeTruthy();
    expect(sent(createBaseMap)).toMatchObject([{ kind: 'tianditu', key: 'k-1', name: null }]);
  });

  test('while an archive is sent nothing is saved without it, and going to another map asks first', async () => {
    let arrived: () => void = () => undefined;
    const waits = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    server.on(uploadBaseMapFile, async () => {
      await waits;
      return {
        status: 201,
        body: {
          name: 'f',
          fileName: 'city.pmtiles',
          bytes: 4_000_000,
          format: 'raster',
          minZoom: 0,
          maxZoom: 14,
          bounds: [0, 0, 1, 1],
          attribution: null,
        },
      };
    });
    await open(BaseMaps, '/s?new=pmtiles', '选择文件');
    fireEvent.change(document.querySelector('input[type=file]')!, {
      target: { files: [new File(['PMTiles\u0003'], 'city.pmtiles')] },
    });
    await screen.findByRole('progressbar', { name: '正在上传' });
    expect(screen.getByRole<HTMLButtonElement>('button', { name: '保存' }).disabled).toBe(true);
    press(/^纯网格/);
    fireEvent.click(await screen.findByRole('button', { name: '留在这里' }));
    arrived();
    await screen.findByText('city.pmtiles');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: '保存' }).disabled).toBe(false);
  });

  test('the order is changed by buttons; deleting asks first; built-in ones have no delete', async () => {
    await open(BaseMaps, '/s?id=3', '服务的应答');
    press('把“市政底图”上移');
    await waitFor(() => expect(sent(orderBaseMaps)).toEqual([{ ids: [3, 1] }]));
    press('删除');
    fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '删除' }));
    await waitFor(() => expect(server.of(deleteBaseMap)).toHaveLength(1));
    fireEvent.click(screen.getByRole('button', { name: /^纯网格/ }));
    await screen.findByText(/按真实比例画的网格/);
    expect(screen.queryByRole('button', { name: '删除' })).toBeNull();
  });
});

const moveUp = async (): Promise<void> => {
  const before = server.of(listBaseMapSettings).length;
  press('把“市政底图”上移');
  await waitFor(() => expect(server.of(listBaseMapSettings).length).toBeGreaterThan(before));
};
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

describe('what somebody else saves meanwhile', () => {
  const nameTyped = () => screen.getByLabelText<HTMLInputElement>(/^名称/).value;

  test('keeps what was typed; saving says that it is old, and reading it anew shows what stands there now', async () => {
    await open(BaseMaps, '/s?id=3', '服务的应答');
    type(/^名称/, '我的名称');
    all = [
      { ...grid, isDefault: false, version: 2 },
      { ...city, name: '别人的名称', isDefault: true, version: 5 },
    ];
    server.refuse(updateBaseMap, 409, { message: '已被修改' });
    await moveUp();
    await screen.findByText('默认', { selector: '[aria-current] em' });
    expect(nameTyped()).toBe('我的名称');
    press('保存');
    const failure = await screen.findByText(/已被修改/);
    expect(sent(updateBaseMap)).toEqual([{ name: '我的名称', version: 4 }]);
    fireEvent.click(within(failure.parentElement!).getByRole('button'));
    await waitFor(() => expect(nameTyped()).toBe('别人的名称'));
    expect(screen.getByRole('button', { name: '保存' })).toHaveProperty('disabled', true);
  });

  test('another default does not take the form away, nor does its deletion; an untouched form follows what is stored', async () => {
    all = [
      { ...grid, isDefault: false },
      { ...city, isDefault: true },
    ];
    await open(BaseMaps, '/s', '服务的应答');
    expect(nameTyped()).toBe('市政底图');
    all = [
      { ...grid, isDefault: false },
      { ...city, name: '新名称', version: 5, isDefault: true },
    ];
    await moveUp();
    await waitFor(() => expect(nameTyped()).toBe('新名称'));
    type(/^名称/, '我的名称');
    all = [
      { ...grid, isDefault: true },
      { ...city, id: 9, name: '另一张' },
    ];
    fireEvent.click(screen.getByRole('button', { name: '把“新名称”上移' }));
    await screen.findByRole('button', { name: /^另一张/ });
    expect(nameTyped()).toBe('我的名称');
    press('撤销修改');
    await screen.findByText(/按真实比例画的网格/);
  });
});

describe('what the service answers', () => {
  test('a late answer to what was asked before does not replace the newer one', async () => {
    const letGo = slowAt15();
    await open(BaseMaps, '/s?id=3', '服务的应答');
    await waitFor(() => expect(sent(testBaseMap)).toHaveLength(1));
    type(/^级别/, '12');
    await screen.findByText('应答正常');
    letGo();
    await moveUp();
    expect(screen.getByText('应答正常')).toBeTruthy();
    expect(screen.queryByText(/密钥被拒绝/)).toBeNull();
  });

  test('is not asked again because the tab is shown again', async () => {
    const tab = (mode: 'visible' | 'hidden') => (
      <Activity mode={mode}>
        <BaseMaps />
      </Activity>
    );
    const show = await openNode(tab('visible'), '/s?id=3', '服务的应答');
    await screen.findByText('应答正常');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    show(tab('hidden'));
    show(tab('visible'));
    act(() => void vi.advanceTimersByTime(5_000));
    vi.useRealTimers();
    type(/^级别/, '12');
    await waitFor(() => expect(sent(testBaseMap).at(-1)).toMatchObject({ zoom: 12 }));
    expect(sent(testBaseMap)).toHaveLength(2);
  });
});

describe('the form’s rules', () => {
  test('a key is asked anew for another host, and only then', () => {
    const values = valuesOf(city);
    expect(keyLost(city, { ...values, address: 'https://tiles.example/v2/{z}/{x}/{y}?k={key}' })).toBe(false);
    expect(problemsOf('xyz', city, { ...values, address: 'https://other.example/{z}/{x}/{y}?k={key}' })).toEqual({
      key: 'keyAnew',
    });
    expect(
      problemsOf('xyz', city, { ...values, address: 'https://other.example/{z}/{x}/{y}?k={key}', key: 'n' }),
    ).toEqual({});
  });

  test('an archive is a file or an address; a vector one is in WGS-84', () => {
    const file = {
      name: 'f',
      fileName: 'a.pmtiles',
      bytes: 1,
      format: 'vector' as const,
      minZoom: 0,
      maxZoom: 14,
      bounds: [0, 0, 1, 1],
      attribution: null,
    };
    const start = { ...startOf('pmtiles'), name: '甲' };
    expect(problemsOf('pmtiles', null, start)).toEqual({ address: 'either' });
    expect(problemsOf('pmtiles', null, { ...start, file, system: 'GCJ02' })).toEqual({ system: 'vectorSystem' });
    expect(bodyOf('pmtiles', { ...start, file, address: 'https://x.example/a.pmtiles' })).toMatchObject({
      file: 'f',
      address: null,
    });
  });
});

describe('/maptest', () => {
  test('a line for every base map with what its service answered; one that fails in plain words; again one by one; axe finds nothing', async () => {
    all = [grid, city, { ...city, id: 4, name: '旧服务' }];
    server.answer(testBaseMap, ({ body }) => {
      const { id } = JSON.parse(body) as { id: number };
      return answer(
        id === 1
          ? []
          : id === 3
            ? [good]
            : [
                {
                  ...good,
                  problem: 'timeout',
                  status: null,
                  bytes: null,
                  contentType: null,
                  width: null,
                  height: null,
                  picture: null,
                  detail: null,
                },
              ],
      );
    });
    await open(MapTest, '/maptest', '测试的位置');
    const lines = await screen.findAllByRole('listitem');
    await within(lines[0]!).findByText('不需要服务，也不用网络。');
    await within(lines[1]!).findByText('HTTP 200');
    expect(within(lines[1]!).getByText('https://tiles.example/15/1/2.png?tk=***')).toBeTruthy();
    expect(within(lines[1]!).getByRole('img', { name: '收到的图片' })).toBeTruthy();
    await within(lines[2]!).findByText('8 秒内没有应答。');
    expect(sent(testBaseMap)).toHaveLength(3);
    fireEvent.change(screen.getByLabelText('级别'), { target: { value: '12' } });
    press('再测一次：旧服务');
    await waitFor(() => expect(sent(testBaseMap).at(-1)).toMatchObject({ id: 4, zoom: 12 }));
    const { violations } = await axe.run(document.querySelector('main')!, {
      rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
    });
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  });

  test('is asked once, however often its tab is shown; a late answer to an older question is dropped', async () => {
    const letGo = slowAt15();
    const tab = (mode: 'visible' | 'hidden') => (
      <Activity mode={mode}>
        <MapTest />
      </Activity>
    );
    const show = await openNode(tab('visible'), '/maptest', '测试的位置');
    await waitFor(() => expect(sent(testBaseMap)).toHaveLength(2));
    show(tab('hidden'));
    show(tab('visible'));
    fireEvent.change(screen.getByLabelText('级别'), { target: { value: '12' } });
    fireEvent.submit(screen.getByLabelText('级别').closest('form')!);
    await waitFor(() => expect(screen.getAllByText('应答正常')).toHaveLength(2));
    expect(sent(testBaseMap).map((one) => (one as { zoom: number }).zoom)).toEqual([15, 15, 12, 12]);
    letGo();
    press('再测一次：纯网格');
    await waitFor(() => expect(sent(testBaseMap)).toHaveLength(5));
    await waitFor(() => expect(screen.getAllByText('应答正常')).toHaveLength(2));
    expect(screen.queryByText(/密钥被拒绝/)).toBeNull();
  });
});
