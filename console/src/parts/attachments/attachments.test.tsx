import { ConfigProvider } from 'antd';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { Activity, Suspense } from 'react';
import { I18nextProvider } from 'react-i18next';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  addAttachment,
  deleteAttachment,
  getAttachmentFile,
  getAttachmentThumbnail,
  listAttachments,
  updateAttachment,
} from '../../../../contract/register/attachments.ts';
import { createQueryClient } from '../../api/index.ts';
import { MenuContext } from '../../frame/menu/menu-context.ts';
import { TabKeyContext, TabStoreContext } from '../../frame/tabs/tab-context.ts';
import { createTabStore } from '../../frame/tabs/tab-store.ts';
import { startI18n } from '../../locales/i18n.ts';
import { contractServer, type ContractServer } from '../../testing/contract-server.ts';
import { Attachments } from './Attachments.tsx';
import type { Attachment } from './words.ts';

const at = '2026-11-20T13:00:00.000Z';
const photo = (id: number, more: Partial<Attachment> = {}): Attachment => ({
  id,
  device: { id: 5, family: 'lamp-pole', code: 'P-5' },
  kind: 'photo',
  type: 'jpeg',
  name: `照片${id}.jpg`,
  bytes: 1_500_000,
  caption: null,
  width: 3000,
  height: 2000,
  takenAt: '2026-11-20T21:03:05',
  longitude: null,
  latitude: null,
  accountName: '周敏',
  createTime: at,
  version: 1,
  ...more,
});
const contract = photo(9, {
  kind: 'document',
  type: 'pdf',
  name: '合同.pdf',
  bytes: 20_000,
  width: null,
  height: null,
  takenAt: null,
  device: { id: 7, family: 'single-lamp-controller', code: 'L-7' },
});
let server: ContractServer;
let kept: Attachment[] = [];
configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });

async function show(codes: readonly string[] = ['device.edit']): Promise<void> {
  const i18n = await startI18n('zh-CN');
  render(
    <ConfigProvider button={{ autoInsertSpace: false }} theme={{ token: { motion: false } }}>
      <I18nextProvider i18n={i18n}>
        <QueryClientProvider client={createQueryClient()}>
          <MemoryRouter>
            <MenuContext value={{ top: [], pages: [], codes: new Set(codes) }}>
              <Suspense fallback="…">
                <Attachments deviceId={5} mounted />
              </Suspense>
            </MenuContext>
          </MemoryRouter>
        </QueryClientProvider>
      </I18nextProvider>
    </ConfigProvider>,
  );
}

beforeEach(async () => {
  URL.createObjectURL = () => 'blob:picture';
  URL.revokeObjectURL = () => undefined;
  server = await contractServer();
  kept = [photo(1, { caption: '铭牌' }), photo(2), photo(3), contract];
  server.answer(listAttachments, () => ({ data: kept, recordsTotal: kept.length }));
  for (const route of [getAttachmentThumbnail, getAttachmentFile])
    server.on(route, () => ({ status: 200, body: 'x', headers: { 'content-type': 'image/jpeg' } }));
});
afterEach(async () => {
  cleanup();
  await server.close();
});

test('photographs open large and are turned by the arrow keys, round and round', async () => {
  await show();
  fireEvent.click(await screen.findByRole('button', { name: '铭牌' }));
  const dialog = await screen.findByRole('dialog', { name: '照片1.jpg' });
  expect(within(dialog).getByText(/3000 × 2000 像素 · 拍摄于 2026-11-20 21:03/)).toBeTruthy();
  fireEvent.keyDown(window, { key: 'ArrowLeft' });
  expect(await screen.findByRole('dialog', { name: '照片3.jpg' })).toBeTruthy();
  fireEvent.keyDown(window, { key: 'ArrowRight' });
  fireEvent.click(
    within(await screen.findByRole('dialog', { name: '照片1.jpg' })).getByRole('button', { name: '下一张' }),
  );
  expect(await screen.findByText('第 2 张，共 3 张')).toBeTruthy();
  expect(await screen.findByRole('img', { name: '照片2.jpg' })).toBeTruthy();
});

test('a file of a mounted device names it; who may not change devices only looks', async () => {
  await show([]);
  const row = (await screen.findByRole('button', { name: '下载 合同.pdf' })).closest('li')!;
  expect(row.textContent).toContain('L-7');
  expect(row.textContent).toMatch(/20\s*kB · 周敏/);
  expect(screen.queryByRole('button', { name: '上传' })).toBeNull();
  expect(screen.queryByRole('button', { name: /删除/ })).toBeNull();
});

test('several files are sent one after the other; one that is refused says why and can be tried again', async () => {
  let full = true;
  kept = [];
  server.on(addAttachment, ({ query }) =>
    query.get('name') === 'b.pdf' && full
      ? { status: 400, body: { status: 400, title: '附件已满', message: '一台设备最多 50 个附件，请先删除不需要的。' } }
      : { status: 201, body: photo(1) },
  );
  await show();
  expect(await screen.findByText('还没有照片和附件')).toBeTruthy();
  const input = screen.getByTestId('attachment-files');
  const file = (name: string, size = 3): File =>
    Object.defineProperty(new File(['abc'], name), 'size', { value: size });
  fireEvent.change(input, { target: { files: [file('a.jpg'), file('b.pdf'), file('big.zip', 21 * 1024 * 1024)] } });
  expect(await screen.findByText('一台设备最多 50 个附件，请先删除不需要的。')).toBeTruthy();
  expect(screen.getByText('big.zip 没有上传成功')).toBeTruthy();
  expect(server.of(addAttachment).map(({ query, headers }) => [query.get('name'), headers['content-type']])).toEqual([
    ['a.jpg', 'application/octet-stream'],
    ['b.pdf', 'application/octet-stream'],
  ]);
  full = false;
  fireEvent.click(within(screen.getByText('b.pdf 没有上传成功').closest('li')!).getByRole('button', { name: '重试' }));
  await waitFor(() => expect(screen.queryByText('b.pdf 没有上传成功')).toBeNull());
  fireEvent.click(
    within(screen.getByText('big.zip 没有上传成功').closest('li')!).getByRole('button', { name: '知道了' }),
  );
  expect(screen.queryByText('big.zip 没有上传成功')).toBeNull();
  await waitFor(() => expect(server.of(addAttachment).length).toBe(3));
});

test('what is dropped on the card is sent, with the place of photographs when that is wanted', async () => {
  server.answer(addAttachment, photo(1));
  await show();
  fireEvent.click(await screen.findByRole('checkbox', { name: '保留照片的拍摄位置' }));
  fireEvent.drop(screen.getByText('照片与附件'), {
    dataTransfer: { files: [new File(['abc'], 'c.jpg')], types: ['Files'] },
  });
  await waitFor(() =>
    expect(server.of(addAttachment).map(({ query }) => [query.get('name'), query.get('keepPosition')])).toEqual([
      ['c.jpg', 'true'],
    ]),
  );
});

test('a file is renamed and deleted after it was asked for; a refusal stays in the dialog', async () => {
  server.refuse(updateAttachment, 409, { message: '数据已被他人修改，请刷新后重试。' });
  server.on(deleteAttachment, () => {
    kept = kept.filter(({ id }) => id !== 9);
    return { status: 204, body: null };
  });
  await show();
  fireEvent.click(await screen.findByRole('button', { name: '改 合同.pdf 的名称和说明' }));
  const edit = await screen.findByRole('dialog', { name: '改名和说明' });
  fireEvent.change(within(edit).getByLabelText('说明'), { target: { value: ' 三年质保 ' } });
  fireEvent.click(within(edit).getByRole('button', { name: '保存' }));
  expect(await within(edit).findByText('数据已被他人修改，请刷新后重试。')).toBeTruthy();
  expect(JSON.parse(server.of(updateAttachment)[0]?.body ?? '')).toEqual({
    name: '合同.pdf',
    caption: '三年质保',
    version: 1,
  });
  fireEvent.click(within(edit).getByRole('button', { name: '取消' }));
  fireEvent.click(screen.getByRole('button', { name: '删除 合同.pdf' }));
  fireEvent.click(
    within(await screen.findByRole('dialog', { name: '删除 合同.pdf？' })).getByRole('button', { name: '删除' }),
  );
  await waitFor(() => expect(screen.queryByRole('button', { name: '下载 合同.pdf' })).toBeNull());
});

/** The card in a tab of its own beside another page; the server takes a file when it is told to. */
async function inTab() {
  const [i18n, client, tabs] = [await startI18n('zh-CN'), createQueryClient(), createTabStore()];
  const visit = (key: string): void => {
    tabs.visit({ key, name: key.slice(1), title: key, language: null, address: key });
  };
  const page = (mode: 'visible' | 'hidden') => (
    <ConfigProvider button={{ autoInsertSpace: false }} theme={{ token: { motion: false } }}>
      <I18nextProvider i18n={i18n}>
        <QueryClientProvider client={client}>
          <MemoryRouter>
            <MenuContext value={{ top: [], pages: [], codes: new Set(['device.edit']) }}>
              <TabStoreContext value={tabs}>
                <TabKeyContext value="/device">
                  <Activity mode={mode}>
                    <Suspense fallback="…">
                      <Attachments deviceId={5} />
                    </Suspense>
                  </Activity>
                </TabKeyContext>
              </TabStoreContext>
            </MenuContext>
          </MemoryRouter>
        </QueryClientProvider>
      </I18nextProvider>
    </ConfigProvider>
  );
  const taken: (() => void)[] = [];
  kept = [];
  server.on(addAttachment, async () => {
    await new Promise<void>((resolve) => {
      taken.push(resolve);
    });
    kept = [...kept, photo(kept.length + 1)];
    return { status: 201, body: kept.at(-1) };
  });
  for (const key of ['/home', '/device']) visit(key);
  const view = render(page('visible'));
  const turn = (mode: 'visible' | 'hidden'): void => {
    act(() => visit(mode === 'visible' ? '/device' : '/home'));
    view.rerender(page(mode));
  };
  fireEvent.change(await screen.findByTestId('attachment-files'), {
    target: { files: [new File(['abc'], 'a.jpg'), new File(['abc'], 'b.jpg')] },
  });
  await waitFor(() => expect(taken).toHaveLength(1));
  return { tabs, taken, turn };
}

test('files go on their way while their tab is hidden; closing it asks as long as one is on its way', async () => {
  const { tabs, taken, turn } = await inTab();
  turn('hidden');
  expect([...tabs.getState().unsaved]).toEqual(['/device']);
  taken[0]?.();
  await waitFor(() => expect(taken).toHaveLength(2));
  expect([...tabs.getState().unsaved]).toEqual(['/device']);
  taken[1]?.();
  await waitFor(() => expect([...tabs.getState().unsaved]).toEqual([]));
  turn('visible');
  await waitFor(() =>
    expect(within(screen.getByRole('list', { name: '照片' })).getAllByRole('button')).toHaveLength(2),
  );
  expect(screen.queryByRole('progressbar')).toBeNull();
});

test('closing the tab ends what is on its way, and begins nothing more', async () => {
  const { tabs } = await inTab();
  const stopped = vi.spyOn(XMLHttpRequest.prototype, 'abort');
  act(() => tabs.remove(['/device']));
  expect(stopped).toHaveBeenCalledTimes(1);
  await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull());
  expect(server.of(addAttachment)).toHaveLength(1);
});
