import axe from 'axe-core';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Activity } from 'react';
import { describe, expect, test, vi } from 'vitest';
import {
  createBaseMap,
  deleteBaseMap,
  listBaseMapSettings,
  orderBaseMaps,
  testBaseMap,
  updateBaseMap,
  uploadBaseMapFile,
} from '../../../../../contract/shell/base-maps.ts';
import BaseMaps from './index.tsx';
import { bodyOf, keyLost, problemsOf, startOf, valuesOf } from './map-values.ts';
import { mapsPage } from './testing/maps-page.tsx';

const page = mapsPage();
const { grid, city, good, answer, open, openNode, type, press, sent, slowAt15 } = page;

describe('settings', () => {
  test('a stored one is changed by what was touched, with its version; its key stays where it is; axe finds nothing', async () => {
    page.server.answer(updateBaseMap, ({ body }) => ({ ...city, ...(JSON.parse(body) as object), version: 5 }));
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
    page.server.refuse(createBaseMap, 400, {
      code: 1001,
      params: [{ field: 'key', rule: 'required', message: '密钥必填' }],
    });
    page.server.answer(
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
    page.server.on(uploadBaseMapFile, async () => {
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
    await waitFor(() => expect(page.server.of(deleteBaseMap)).toHaveLength(1));
    fireEvent.click(screen.getByRole('button', { name: /^纯网格/ }));
    await screen.findByText(/按真实比例画的网格/);
    expect(screen.queryByRole('button', { name: '删除' })).toBeNull();
  });
});

const moveUp = async (): Promise<void> => {
  const before = page.server.of(listBaseMapSettings).length;
  press('把“市政底图”上移');
  await waitFor(() => expect(page.server.of(listBaseMapSettings).length).toBeGreaterThan(before));
};

describe('what somebody else saves meanwhile', () => {
  const nameTyped = () => screen.getByLabelText<HTMLInputElement>(/^名称/).value;

  test('keeps what was typed; saving says that it is old, and reading it anew shows what stands there now', async () => {
    await open(BaseMaps, '/s?id=3', '服务的应答');
    type(/^名称/, '我的名称');
    page.all = [
      { ...grid, isDefault: false, version: 2 },
      { ...city, name: '别人的名称', isDefault: true, version: 5 },
    ];
    page.server.refuse(updateBaseMap, 409, { message: '已被修改' });
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
    page.all = [
      { ...grid, isDefault: false },
      { ...city, isDefault: true },
    ];
    await open(BaseMaps, '/s', '服务的应答');
    expect(nameTyped()).toBe('市政底图');
    page.all = [
      { ...grid, isDefault: false },
      { ...city, name: '新名称', version: 5, isDefault: true },
    ];
    await moveUp();
    await waitFor(() => expect(nameTyped()).toBe('新名称'));
    type(/^名称/, '我的名称');
    page.all = [
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
