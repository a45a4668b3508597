import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import {
  deleteImport,
  deleteImportMapping,
  listImportMappings,
  listImports,
  uploadImport,
} from '../../../../../contract/register/imports.ts';
import { getMe } from '../../../../../contract/people/me.ts';
import { press } from '../../../testing/shell.tsx';
import { importsPage } from './testing/imports-page.tsx';

const page = importsPage();
const { task, uploaded, listed, open } = page;

describe('the list', () => {
  test('tells file, family, state and counts; forgetting says what is lost first', async () => {
    page.server.answer(listImports, {
      data: [{ ...listed, state: 'applied', task: task('import.apply', 'done') }],
      recordsTotal: 1,
    });
    page.server.on(deleteImport, () => ({ status: 204, body: '' }));
    await open('');
    const line = (await screen.findByRole('button', { name: '灯杆.csv' })).closest('tr') as HTMLElement;
    for (const text of ['灯杆', '已写入', '271', '27', 'admin']) expect(within(line).getByText(text)).toBeDefined();
    await press('更多操作 灯杆.csv');
    fireEvent.click(await screen.findByRole('menuitem', { name: '移除记录' }));
    await screen.findByText('已写入的设备保留，但之后不能再撤销这次导入。');
    await press('移除记录');
    await waitFor(() => expect(page.server.of(deleteImport).length).toBe(1));
  });

  test('of somebody without a project says that, and not that nothing was imported', async () => {
    page.server.answer(listImports, { data: [], recordsTotal: 0 });
    page.server.answer(getMe, {
      accountId: 7,
      username: 'li',
      displayName: '李四',
      level: 3,
      permissions: [],
      warnings: [],
      workAreas: 0,
    });
    await open('');
    await screen.findByText('您还没有被分配项目，请联系管理员');
    expect(screen.queryByText('还没有导入过文件')).toBeNull();
  });

  test('is empty with one way on', async () => {
    page.server.answer(listImports, { data: [], recordsTotal: 0 });
    await open('');
    await screen.findByText('还没有导入过文件');
    fireEvent.click(screen.getAllByRole('button', { name: '新建导入' })[0] as HTMLElement);
    await screen.findByText('先选择设备类型');
  });
});

describe('the file', () => {
  test('is chosen beside what is kept for files with the same headings, which can be taken away', async () => {
    const kept = {
      id: 3,
      family: 'lamp-pole',
      headings: ['編號', 'X', 'Y'],
      fields: ['equipmentCode', 'longitude', 'latitude'],
      system: 'EPSG:3826',
      encoding: 'big5',
      usedAt: '2026-11-20T10:00:00Z',
    };
    page.server.answer(listImportMappings, { data: [kept], recordsTotal: 1 });
    page.server.on(deleteImportMapping, () => {
      page.server.answer(listImportMappings, { data: [], recordsTotal: 0 });
      return { status: 204, body: '' };
    });
    await open('?new=lamp-pole');
    const line = (await screen.findByText('編號 · X · Y')).closest('li') as HTMLElement;
    expect(line.textContent).toContain('灯杆编号、经度、纬度 · EPSG:3826 · BIG5');
    expect(line.textContent).toContain('EPSG:3826');
    await press('移除“編號 · X · Y”');
    await waitFor(() => expect(screen.queryByText('編號 · X · Y')).toBeNull());
    expect(page.server.of(deleteImportMapping)[0]?.path).toBe('/api/v1/import-mappings/3');
  });

  const give = async (file: File) =>
    fireEvent.change(await screen.findByTestId('import-file'), { target: { files: [file] } });
  test('is sent as its bytes, then its columns are shown', async () => {
    page.server.answer(uploadImport, uploaded);
    const { address } = await open('?new=lamp-pole');
    await give(new File(['a,b\n1,2'], '灯杆.csv'));
    await screen.findByText('文件里的列');
    const [request] = page.server.of(uploadImport);
    expect([
      request?.headers['content-type'],
      request?.query.get('family'),
      request?.query.get('name'),
      request?.body,
    ]).toEqual(['application/octet-stream', 'lamp-pole', '灯杆.csv', 'a,b\n1,2']);
    expect(address()).toBe('/asset/imports?import=7');
  });

  test('that is refused says why, in the server’s words; an empty one is not even sent', async () => {
    page.server.refuse(uploadImport, 400, {
      code: 3806,
      title: '旧版 .xls 或加密的工作簿不能读取',
      detail: '请另存为不加密的 .xlsx 后重试',
    });
    await open('?new=lamp-pole');
    await give(new File([], '空.csv'));
    await screen.findByText('文件是空的。');
    expect(page.server.of(uploadImport).length).toBe(0);
    await give(new File(['x'], '旧.xls'));
    await screen.findByText('没有接受“旧.xls”');
    await screen.findByText('旧版 .xls 或加密的工作簿不能读取');
    await screen.findByText('请另存为不加密的 .xlsx 后重试');
  });

  test('cannot be chosen without the right to import', async () => {
    await open('?new=lamp-pole', []);
    await screen.findByText(/device\.import/);
    expect(screen.queryByTestId('import-file')).toBeNull();
  });
});
