import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { checkImport, chooseText, getImport, listImportPins } from '../../../../../contract/register/imports.ts';
import { bodyOf, chooseOption, press } from '../../../testing/shell.tsx';
import type { Import } from './plan.ts';
import { importsPage } from './testing/imports-page.tsx';

const page = importsPage();
const { task, uploaded, checked, shown, open } = page;

describe('the columns', () => {
  test('of many that nobody explained the first are named, with their number', async () => {
    page.server.answer(getImport, {
      ...uploaded,
      columns: Array.from({ length: 16 }, (_, index) => ({ title: `K${index}`, samples: [] })),
      plan: { ...uploaded.plan, fields: {} },
    });
    await open('?import=7');
    await screen.findByText('还没有说明的列：K0、K1、K2、K3、K4、K5、K6、K7、K8、K9、K10、K11 等 16 列');
  });

  test('name what is missing; what was said is kept over a reload and goes with the check', async () => {
    page.server.answer(checkImport, { ...uploaded, task: task('import.check', 'running') });
    await open('?import=7');
    await screen.findByText('还缺：灯杆编号、所属项目');
    await screen.findByText('还没有说明的列：編號、位置、類型');
    expect((screen.getByRole('button', { name: '开始检查' }) as HTMLButtonElement).disabled).toBe(true);
    await chooseOption(screen.getByRole('combobox', { name: '“編號”填入的字段' }), '灯杆编号');
    await chooseOption(screen.getByRole('combobox', { name: '添加字段' }), '所属项目');
    await screen.findByText('还没有填值：所属项目');
    fireEvent.click(screen.getByRole('button', { name: '去掉“所属项目”' }));
    await chooseOption(screen.getByRole('combobox', { name: '“位置”填入的字段' }), '所属项目');
    fireEvent.click(screen.getByRole('checkbox', { name: '不导入“類型”' }));
    cleanup();
    await open('?import=7');
    await press('开始检查');
    await screen.findByText('正在检查每一行');
    await screen.findByText('120 / 300 行');
    expect(bodyOf(page.server, checkImport)).toEqual({
      ...uploaded.plan,
      fields: { ...uploaded.plan.fields, equipmentCode: { column: 0 }, workId: { column: 1 } },
      ignored: [2],
    });
  });

  test('show three rows on the map, with their distance, and what lies outside the system; the columns can be swapped', async () => {
    await open('?import=7');
    await screen.findByText('24.942400°, 121.249200°', { exact: false });
    await screen.findByText('超出这个坐标系的范围');
    await screen.findByText('距 010001：010140: 932 m', { exact: false });
    await press('两列对调');
    await waitFor(() =>
      expect(page.server.of(listImportPins).at(-1)?.query.toString()).toBe('x=4&y=3&system=EPSG%3A3826'),
    );
  });

  const czech: Import = {
    ...uploaded,
    format: {
      ...uploaded.format,
      encoding: 'windows-1250',
      delimiter: ';',
      sure: false,
      candidates: [
        { encoding: 'windows-1250', sample: '1;Łódź' },
        { encoding: 'windows-1252', sample: '1;£ódŸ' },
      ],
    },
    columns: [
      { title: 'X', samples: ['-822352,63'], decimals: 'comma' },
      { title: 'Y', samples: ['-1069652,4'], decimals: 'comma' },
      { title: 'W', samples: ['1,234'], decimals: 'unclear' },
      { title: 'n', samples: ['7'] },
    ],
    plan: {
      ...uploaded.plan,
      fields: {
        longitude: { column: 0 },
        latitude: { column: 1 },
        equipmentCode: { column: 3 },
        workId: { value: 'ZL' },
      },
      ignored: [2],
      system: '',
      decimalCommas: [0, 1],
    },
  };

  test('of a text in doubt say so and show one line; another encoding shows its own, and reads the columns again', async () => {
    page.server.answer(getImport, czech);
    page.server.answer(chooseText, { ...czech, format: { ...czech.format, encoding: 'windows-1252', sure: true } });
    await open('?import=7');
    await screen.findByText('编码不能确定：最可能是 Windows-1250（中欧）');
    await screen.findByText('1;Łódź');
    fireEvent.mouseDown(screen.getByRole('combobox', { name: '编码' }));
    await screen.findByText('1;£ódŸ');
    await chooseOption(screen.getByRole('combobox', { name: '编码' }), 'Windows-1252（西欧）');
    await waitFor(() => expect(screen.queryByText(/编码不能确定/)).toBeNull());
    expect(bodyOf(page.server, chooseText)).toEqual({ encoding: 'windows-1252' });
    expect(within(screen.getByText('按此读出的一行：').closest('p') as HTMLElement).getByText('1;£ódŸ')).toBeDefined();
  });

  test('with commas before their decimals are ticked; whoever unticks one has it so in the check', async () => {
    page.server.answer(getImport, { ...czech, plan: { ...czech.plan, system: 'EPSG:5514' } });
    page.server.answer(checkImport, { ...czech, task: task('import.check', 'running') });
    await open('?import=7');
    const box = async (name: string) => screen.findByRole<HTMLInputElement>('checkbox', { name });
    expect([
      (await box('“X”的小数点为逗号')).checked,
      (await box('“W”的小数点为逗号')).checked,
      screen.queryByRole('checkbox', { name: '“n”的小数点为逗号' }),
    ]).toEqual([true, false, null]);
    await screen.findByText('小数点为逗号（不确定：也可能是千位分隔）');
    fireEvent.click(await box('“W”的小数点为逗号'));
    fireEvent.click(await box('“Y”的小数点为逗号'));
    await press('开始检查');
    await waitFor(() => expect(bodyOf(page.server, checkImport)).toMatchObject({ decimalCommas: [0, 2] }));
  });

  test('that are no degrees wait for a coordinate system; the ones that fit are offered, and one turns the columns round', async () => {
    page.server.answer(getImport, czech);
    const at = { longitude: 13.38, latitude: 49.75 };
    page.server.answer(listImportPins, {
      pins: [],
      fits: [
        { system: 'EPSG:5514', name: 'S-JTSK / Krovak East North', swapped: false, ...at, km: 12 },
        { system: 'EPSG:2065', name: null, swapped: true, ...at, km: null },
      ],
      questions: [],
      name: null,
      accuracy: null,
    });
    await open('?import=7');
    expect((await screen.findAllByText('请选择坐标系')).length).toBeGreaterThan(0);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: '开始检查' }).disabled).toBe(true);
    await waitFor(() => expect(page.server.of(listImportPins).at(-1)?.query.toString()).toBe('x=0&y=1&commas=true'));
    const offer = await screen.findByRole('button', { name: /EPSG:5514 S-JTSK .*49\.750°, 13\.380°.*12\skm/ });
    await press(/EPSG:2065.*两列对调/);
    await waitFor(() =>
      expect(page.server.of(listImportPins).at(-1)?.query.toString()).toBe('x=1&y=0&system=EPSG%3A2065&commas=true'),
    );
    fireEvent.click(offer);
    await waitFor(() =>
      expect(screen.getByRole<HTMLButtonElement>('button', { name: '开始检查' }).disabled).toBe(false),
    );
  });

  test('that lie where their system is not used, or far from all that is registered, say so beside the map', async () => {
    page.server.answer(listImportPins, {
      ...shown,
      questions: [
        { kind: 'outsideSystem', rows: 3, km: null },
        { kind: 'farFromRegister', rows: 3, km: 8_700 },
      ],
      accuracy: 12,
    });
    await open('?import=7');
    await screen.findByText('这些位置不在 EPSG:3826 的适用范围内');
    await screen.findByText('文件中的位置距最近的已登记设备 8,700 公里');
    await screen.findByText(/EPSG:3826 的位置误差可达 12 米/);
  });

  test('that the server does not take are named', async () => {
    page.server.answer(getImport, { ...checked, state: 'uploaded', counts: null, task: null });
    page.server.refuse(checkImport, 400, {
      detail: '输入有误',
      params: [
        { field: 'columns.1', rule: 'unknownField', message: '未知字段' },
        { field: 'system', rule: 'enum', message: '未知坐标系' },
      ],
    });
    await open('?import=7');
    await press('开始检查');
    await screen.findByText('位置：未知字段');
    await screen.findByText('system：未知坐标系');
  });
});
