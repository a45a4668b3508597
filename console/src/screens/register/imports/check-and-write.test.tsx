import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import {
  applyImport,
  checkImport,
  getImport,
  listImportRows,
  undoImport,
} from '../../../../../contract/register/imports.ts';
import { bodyOf, chooseOption, press } from '../../../testing/shell.tsx';
import type { Import } from './plan.ts';
import { importsPage } from './testing/imports-page.tsx';

const page = importsPage();
const { task, uploaded, checked, open } = page;

describe('the check', () => {
  test('is followed live, then shown in numbers, groups and rows; groups and numbers filter', async () => {
    page.server.answer(getImport, { ...uploaded, task: task('import.check', 'running') });
    await open('?import=7');
    await screen.findByText('正在检查每一行');
    page.server.answer(getImport, checked);
    page.server.tell({ type: 'task', id: 40 });
    await press(/^271新增$/);
    await waitFor(() => expect(page.server.of(listImportRows).at(-1)?.query.get('outcome')).toBe('new'));
    await screen.findByText(/距其他位置 240 公里/);
    const [far, update] = [screen.getByText('27517, 2759430'), screen.getByText('010012')].map(
      (one) => one.closest('li[class*=item]') as HTMLElement,
    );
    expect(within(far as HTMLElement).getByText('水泥桿')).toBeDefined();
    expect(within(update as HTMLElement).getByText('（空）')).toBeDefined();
    expect(within(update as HTMLElement).getByText('智慧灯杆')).toBeDefined();
    await press(/所属道路: 没有登记/);
    await waitFor(() =>
      expect(page.server.of(listImportRows).at(-1)?.query.toString()).toBe(
        'outcome=error&rule=notFound&field=roadId&after=0&size=50',
      ),
    );
    expect(screen.getByText('龍興路')).toBeDefined();
  });

  /** Until what was asked before is answered, nothing can be pressed. */
  const pressNext = async (name: string): Promise<void> => {
    await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(false));
    await press(name);
  };

  test('is made again with what somebody says: a word’s meaning, positions that are right, roads to be made', async () => {
    page.server.answer(getImport, checked);
    page.server.answer(checkImport, checked);
    await open('?import=7');
    await chooseOption(await screen.findByRole('combobox', { name: '“水泥桿”的含义' }), '普通灯杆');
    await press('按此重新检查');
    await waitFor(() =>
      expect(bodyOf(page.server, checkImport, 0)).toEqual({
        ...checked.plan,
        words: { equipmentTypeId: { 水泥桿: 'equipment_type_13' } },
      }),
    );
    await pressNext('位置无误，重新检查');
    await waitFor(() => expect(bodyOf(page.server, checkImport, 1)).toEqual({ ...checked.plan, acceptFar: true }));
    await pressNext('新建道路并重新检查');
    await waitFor(() => expect(bodyOf(page.server, checkImport, 2)).toEqual({ ...checked.plan, createRoads: true }));
  });

  test('asks once for the file whether it lies where it should, and nothing is written before the answer', async () => {
    const questions = [
      { kind: 'outsideSystem' as const, rows: 12, km: null },
      { kind: 'farFromRegister' as const, rows: 271, km: 8_700 },
    ];
    page.server.answer(getImport, { ...checked, questions });
    page.server.answer(checkImport, { ...checked, questions, plan: { ...checked.plan, acceptPlace: true } });
    await open('?import=7');
    await screen.findByText('有 12 行不在 EPSG:3826 的适用范围内');
    await screen.findByText('文件中的位置距最近的已登记设备 8,700 公里');
    await screen.findByText('写入前请先回答上面的问题。');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: '下一步：写入' }).disabled).toBe(true);
    await press('位置正确，重新检查');
    await screen.findByText('文件的位置已确认');
    expect(bodyOf(page.server, checkImport)).toMatchObject({ acceptPlace: true });
    await waitFor(() =>
      expect(screen.getByRole<HTMLButtonElement>('button', { name: '下一步：写入' }).disabled).toBe(false),
    );
    await press('撤回确认');
    await waitFor(() => expect(bodyOf(page.server, checkImport, 1)).toMatchObject({ acceptPlace: false }));
  });

  test('that failed says why and can be made again', async () => {
    page.server.answer(getImport, { ...uploaded, plan: checked.plan, task: task('import.check', 'failed') });
    page.server.answer(checkImport, checked);
    await open('?import=7');
    await screen.findByText('数据库没有应答');
    await press('重新检查');
    await screen.findByText('看不懂的词');
  });
});

describe('writing', () => {
  test('says in numbers what will happen; all or nothing is kept back while rows are wrong', async () => {
    page.server.answer(getImport, checked);
    page.server.answer(applyImport, { ...checked, task: task('import.apply', 'running') });
    await open('?import=7&step=write');
    await screen.findByText('新增设备 271 台');
    await screen.findByText('有错误、不写入 27 行');
    fireEvent.click(screen.getByRole('radio', { name: /全部或不导入/ }));
    await screen.findByText(/不会写入任何数据/);
    expect((screen.getByRole('button', { name: '开始写入' }) as HTMLButtonElement).disabled).toBe(true);
    fireEvent.click(screen.getByRole('radio', { name: /只写入有效的行/ }));
    await press('开始写入');
    await screen.findByText('正在写入');
    expect(bodyOf(page.server, applyImport)).toEqual({ rows: 'valid' });
  });

  test('an old one whose rows are gone says so instead of offering what is no longer possible', async () => {
    page.server.answer(getImport, {
      ...checked,
      state: 'applied',
      task: task('import.apply', 'done'),
      appliedAt: '2026-05-21T10:01:00Z',
      rowsRemovedAt: '2026-11-20T10:01:00Z',
    });
    await open('?import=7');
    await screen.findByText(/这次导入不能再撤销/);
    for (const name of ['撤销导入', '下载未导入的行']) expect(screen.queryByRole('button', { name })).toBeNull();
    expect(page.server.of(listImportRows)).toEqual([]);
  });

  test('is undone after saying what that does; rows that stayed are listed', async () => {
    const applied: Import = {
      ...checked,
      state: 'applied',
      task: task('import.apply', 'done'),
      appliedAt: '2026-11-21T10:01:00Z',
    };
    page.server.answer(getImport, applied);
    page.server.answer(undoImport, {
      ...applied,
      state: 'undone',
      task: task('import.undo', 'done', 41),
      undoneAt: '2026-11-21T10:02:00Z',
      notUndone: 3,
    });
    await open('?import=7');
    await screen.findByRole('button', { name: '打开灯杆列表' });
    await press('撤销导入');
    const dialog = await screen.findByRole('dialog');
    await within(dialog).findByText('新增的 271 台设备会被删除');
    fireEvent.click(within(dialog).getByRole('button', { name: '撤销导入' }));
    await screen.findByText('3 行在导入之后有变化，保持原样。');
    await waitFor(() => expect(page.server.of(listImportRows).at(-1)?.query.get('notUndone')).toBe('true'));
  });
});
