import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import axe from 'axe-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { getCommandSettings, policyDefaults } from '../../../../../contract/light/command-settings.ts';
import { getLampFilters } from '../../../../../contract/light/lamps.ts';
import { createPublication, previewPublication } from '../../../../../contract/light/publications.ts';
import { getScheme, listSchemes, listSchemeVersions } from '../../../../../contract/light/schemes.ts';
import { listTemplates, listTemplateVersions } from '../../../../../contract/light/templates.ts';
import { simulatePlans } from '../../../../../contract/light/simulations.ts';
import { getWorkAreaOptions } from '../../../../../contract/specified/account.ts';
import { serverForEach } from '../../../testing/contract-server.ts';
import { bodyOf, chooseOption, press, renderInShell } from '../../../testing/shell.tsx';
import Publish from './index.tsx';
import type { Preview } from './use-publish-form.ts';

const server = serverForEach();
const at = '2026-11-25T12:00:00.000Z';
const item = (id: number, code: string, name: string) => ({
  id,
  code,
  name,
  workAreaId: null,
  workAreaName: null,
  version: 3,
  draft: null,
  newest: { number: 2, hash: '0123456789ab', at, by: 'admin' },
  lamps: { following: 0, unreported: 0, diverged: 0, byVersion: [] },
  editable: true,
  deletable: false,
  createdAt: at,
  updatedAt: at,
});
const version = (number: number) => ({
  number,
  hash: '0123456789ab',
  note: `第${number}稿`,
  basedOn: null,
  by: 'admin',
  at,
  following: 0,
  unreported: 0,
  diverged: 0,
});
const shown = (more: Partial<Preview> = {}): Preview => ({
  scheme: { id: 5, code: 'JN-03', name: '主干路', number: 2, hash: '0123456789ab' },
  template: null,
  effectiveFrom: '2026-11-25',
  lightingDay: '2026-11-25',
  lamps: 240,
  changed: 200,
  cannot: [{ reason: 'disabled', count: 4 }],
  darkens: 0,
  needsSecond: false,
  kwh: { before: 812, after: 655.2 },
  findings: [],
  ...more,
});
const darker = { code: 'darker', severity: 'warning', params: { lamps: 180 } } as const;
const holidays = { code: 'unknownHolidays', severity: 'warning', params: { country: 'CN', year: '2027' } } as const;
const floor = {
  code: 'belowFloor',
  severity: 'error',
  params: { roadClass: 'arterial', level: 30, floor: 50, programme: 1, period: 1 },
} as const;

const open = (search = '?scheme=5', handOver?: unknown) =>
  renderInShell(<Publish />, {
    address: `/lamp/publish${search}`,
    codes: ['plan.query', 'plan.publish', 'lamp.monitor', 'device.query'],
    pages: ['lamp/publications', 'lamp/publication', 'lamp/scheme'],
    handOver,
    live: server(),
  });
const chooseRoad = async (): Promise<void> =>
  chooseOption(await screen.findByRole('combobox', { name: '道路' }), '滨江大道');
const wanted = { schemeId: 5, scope: { roadIds: [1] } };

beforeEach(() => {
  const of = server();
  of.answer(listSchemes, {
    data: [{ ...item(5, 'JN-03', '主干路'), state: 'frozen', mode: 'energySaving', outlook: null }],
    recordsTotal: 1,
  });
  of.answer(listTemplates, { data: [{ ...item(8, 'MB-01', '标准'), state: 'frozen' }], recordsTotal: 1 });
  of.answer(listSchemeVersions, { data: [version(2), version(1)], recordsTotal: 2 });
  of.answer(listTemplateVersions, { data: [version(2)], recordsTotal: 1 });
  of.answer(getLampFilters, {
    roads: [
      { id: 1, name: '滨江大道', lamps: 240 },
      { id: 2, name: '望江路', lamps: 40 },
    ],
    groups: [],
    controllers: [],
  });
  of.answer(getWorkAreaOptions, { success: true, msg: '', data: [{ value: 1, label: '江南' }] });
  of.answer(getCommandSettings, {
    version: 1,
    policy: { ...policyDefaults, approvalMinutes: 10 },
    limits: { acknowledgeSeconds: 30, repeatSeconds: 5, confirmSeconds: 120, queueSeconds: 120, gatewayPerSecond: 100 },
  });
  of.answer(previewPublication, shown());
  of.answer(createPublication, { id: 12, total: 240, phase: 'tellingCanary' });
});

describe('what would happen', () => {
  test('is worked out as soon as it is whole, before anything is sent', async () => {
    await open();
    await screen.findByText('还没有选好');
    expect(server().of(previewPublication)).toEqual([]);
    await chooseRoad();
    await screen.findByText('655 kWh');
    expect(bodyOf(server(), previewPublication)).toEqual(wanted);
    for (const text of ['812 kWh', '少用 19.3%', '4 盏已停用', '没有发现问题', '从 2026-11-25 入夜起。'])
      expect(screen.getByText(text), text).toBeTruthy();
    expect(screen.getByText('先下发给分散的 12 盏，经过一次计划动作、验证通过后，再发其余 224 盏。')).toBeTruthy();
    expect(server().of(createPublication)).toEqual([]);
  });

  test('is asked again for another version, another night and more lamps', async () => {
    await open('?scheme=5', { deviceIds: [7, 9] });
    await screen.findByText('655 kWh');
    expect(bodyOf(server(), previewPublication)).toEqual({ schemeId: 5, scope: { deviceIds: [7, 9] } });
    const [first] = screen.getAllByRole('combobox', { name: '版本' });
    await chooseOption(first!, '第 1 版');
    await waitFor(() =>
      expect(bodyOf(server(), previewPublication)).toEqual({
        schemeId: 5,
        schemeNumber: 1,
        scope: { deviceIds: [7, 9] },
      }),
    );
    await screen.findByText('655 kWh');
    await chooseOption(screen.getByRole('combobox', { name: '从哪一夜起' }), '2026-11-26 入夜');
    await waitFor(() =>
      expect(bodyOf(server(), previewPublication)).toMatchObject({ schemeNumber: 1, effectiveFrom: '2026-11-26' }),
    );
  });

  test('what was simulated is what it begins with: places, lamps, version and first day', async () => {
    const places = { roadIds: [1], groupIds: [4], controllerIds: [6], workAreaId: 1, deviceIds: [7] };
    await open('?scheme=5&number=1', { scheme: 5, number: 1, ...places, day: '2026-12-24' });
    await screen.findByText('655 kWh');
    const asked = { schemeId: 5, schemeNumber: 1, scope: places, effectiveFrom: '2026-12-24' };
    expect(bodyOf(server(), previewPublication)).toEqual(asked);
    await screen.findByText(/在那之前，灯保持现在的方案/);
  });

  test('after dusk this night can be chosen as well', async () => {
    server().answer(previewPublication, shown({ effectiveFrom: '2026-11-26', lightingDay: '2026-11-25' }));
    await open();
    await chooseRoad();
    await screen.findByText('655 kWh');
    expect(screen.getByText(/现在亮着的灯不变，从那一夜开灯起按新方案/)).toBeTruthy();
    // The next dusk may be today's, less than half an hour away: the default does not claim to be it.
    expect(screen.getByText('2026-11-26 入夜（默认）')).toBeTruthy();
    expect(screen.queryByText(/下一次入夜起/)).toBeNull();
    await chooseOption(screen.getByRole('combobox', { name: '从哪一夜起' }), '今夜就换（2026-11-25）');
    await waitFor(() => expect(bodyOf(server(), previewPublication)).toMatchObject({ effectiveFrom: '2026-11-25' }));
    await screen.findByText(/现在亮着的灯收到后就换成新方案的亮度/);
  });

  test('before dusk lamps follow it from this evening, also where today is picked by hand', async () => {
    await open();
    await chooseRoad();
    await screen.findByText(/从今晚开灯起按新方案/);
    const box = screen.getByRole('combobox', { name: '从哪一夜起' });
    expect(screen.getByText('下一次入夜起（2026-11-25）')).toBeTruthy();
    await chooseOption(box, '另选一天');
    await screen.findByText(/在那之前，灯保持现在的方案/);
    const picker = await screen.findByRole('textbox', { name: '另选一天' });
    fireEvent.mouseDown(picker);
    fireEvent.change(picker, { target: { value: '2026-11-25' } });
    fireEvent.keyDown(picker, { key: 'Enter', keyCode: 13 });
    await waitFor(() => expect(bodyOf(server(), previewPublication)).toMatchObject({ effectiveFrom: '2026-11-25' }));
    await screen.findByText(/从今晚开灯起按新方案/);
  });

  test('what could not be fetched says so and is asked again', async () => {
    server().refuse(listSchemes, 503, { message: '稍后再试' });
    server().refuse(listTemplateVersions, 503, { message: '版本服务停了' });
    server().refuse(getLampFilters, 503, { message: '范围服务停了' });
    await open('?template=8');
    await screen.findByText('方案没有取到');
    await screen.findByText('版本没有取到');
    await screen.findByText('可选的范围没有取到');
    server().answer(listSchemes, {
      data: [{ ...item(5, 'JN-03', '主干路'), state: 'frozen', mode: 'energySaving', outlook: null }],
      recordsTotal: 1,
    });
    const notice = within(screen.getByText('方案没有取到').closest<HTMLElement>('[role="alert"]')!);
    fireEvent.click(notice.getByRole('button', { name: '重试' }));
    await chooseOption(await screen.findByRole('combobox', { name: '节能方案' }), 'JN-03');
  });

  test('a scheme beyond the first ones is found by searching, and one of the address is named', async () => {
    const kept = { state: 'frozen', mode: 'energySaving', outlook: null } as const;
    const far = { ...item(612, 'JN-612', '滨江夜景'), ...kept };
    server().on(listSchemes, ({ query }) => ({
      status: 200,
      body: query.get('q') === '夜景' ? { data: [far], recordsTotal: 1 } : { data: [], recordsTotal: 613 },
    }));
    server().answer(getScheme, { ...far, id: 700, code: 'JN-700', content: null, findings: [] });
    await open('?scheme=700');
    await screen.findByText('JN-700 滨江夜景');
    const box = screen.getByRole('combobox', { name: '节能方案' });
    fireEvent.mouseDown(box);
    fireEvent.change(box, { target: { value: '夜景' } });
    await chooseOption(box, 'JN-612');
    await chooseRoad();
    await waitFor(() => expect(bodyOf(server(), previewPublication)).toMatchObject({ schemeId: 612 }));
  });

  test('a template alone can be published', async () => {
    await open('?template=8');
    await chooseRoad();
    await screen.findByText('655 kWh');
    expect(bodyOf(server(), previewPublication)).toEqual({ templateId: 8, scope: { roadIds: [1] } });
  });

  test('a refused night stands beside its field', async () => {
    server().refuse(previewPublication, 400, {
      detail: '校验失败',
      params: [{ field: 'effectiveFrom', rule: 'minimum', message: '不能早于 2026-11-25' }],
    });
    await open();
    await chooseRoad();
    await waitFor(() =>
      expect(screen.getByRole('combobox', { name: '从哪一夜起' }).getAttribute('aria-invalid')).toBe('true'),
    );
    expect(screen.getAllByText('不能早于 2026-11-25').length).toBeGreaterThan(0);
  });
});

describe('publishing', () => {
  test('an empty form says everything at once', async () => {
    await open('');
    await press('发布');
    await screen.findByText('请选择方案或模板');
    expect(screen.getByText('请选择发布到哪些灯')).toBeTruthy();
    expect(screen.getByText('2 处需要修改')).toBeTruthy();
    expect(server().of(createPublication)).toEqual([]);
  });

  test('sends what was shown, with the usual first part, and opens its page', async () => {
    const { address } = await open();
    await chooseRoad();
    await press('发布到 236 盏');
    await waitFor(() => expect(server().of(createPublication)).toHaveLength(1));
    expect(bodyOf(server(), createPublication)).toMatchObject({
      ...wanted,
      effectiveFrom: '2026-11-25',
      canary: { share: 5 },
      goOn: false,
      autoRevert: true,
      criteria: { reportedPercent: 95, provenPercent: 95, litDropPoints: 2, newAlarmsPercent: 1 },
      reason: null,
      acceptedFindings: [],
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    await waitFor(() => expect(address()).toBe('/lamp/publication/12'));
  });

  test('the first part, its conditions and what follows can be chosen', async () => {
    await open();
    await chooseRoad();
    fireEvent.click(await screen.findByText('按盏数'));
    fireEvent.change(screen.getByRole('spinbutton', { name: '先试多少' }), { target: { value: '50' } });
    fireEvent.click(screen.getByRole('switch', { name: /^通过后自动继续/ }));
    fireEvent.click(screen.getByRole('switch', { name: /^没有通过时自动撤回/ }));
    await press('通过的条件');
    const proven = screen.getByRole('spinbutton', { name: '已证明至少' });
    fireEvent.change(proven, { target: { value: '' } });
    await press('发布到 236 盏');
    await screen.findByText('0 到 100');
    fireEvent.change(proven, { target: { value: '90' } });
    await press('发布到 236 盏');
    await waitFor(() => expect(server().of(createPublication)).toHaveLength(1));
    expect(bodyOf(server(), createPublication)).toMatchObject({
      canary: { count: 50 },
      goOn: true,
      autoRevert: false,
      criteria: { reportedPercent: 95, provenPercent: 90, litDropPoints: 2, newAlarmsPercent: 1 },
    });
  });

  test('all at once is said to be without a first part', async () => {
    await open();
    await chooseRoad();
    fireEvent.click(await screen.findByText('一次全部'));
    await screen.findByText(/没有先试/);
    await press('发布到 236 盏');
    await waitFor(() => expect(bodyOf(server(), createPublication)).toMatchObject({ canary: null }));
  });

  test('each warning is ticked; another number of lamps has to be read again', async () => {
    server().answer(previewPublication, shown({ findings: [darker, holidays] }));
    await open();
    await chooseRoad();
    await press('发布到 236 盏');
    await screen.findByText('还有 2 条提示没有勾选');
    expect(server().of(createPublication)).toEqual([]);
    fireEvent.click(screen.getByRole('checkbox', { name: /180 盏比现在暗/ }));
    await screen.findByText('还有 1 条提示没有勾选');
    fireEvent.click(screen.getByRole('checkbox', { name: /2027 年的节假日还不知道/ }));
    server().answer(previewPublication, shown({ findings: [{ ...darker, params: { lamps: 190 } }, holidays] }));
    await chooseOption(screen.getByRole('combobox', { name: '道路' }), '望江路');
    await screen.findByText(/190 盏比现在暗/);
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: /190 盏/ }).checked).toBe(false);
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: /2027 年/ }).checked).toBe(true);
    fireEvent.click(screen.getByRole('checkbox', { name: /190 盏/ }));
    await press('发布到 236 盏');
    await waitFor(() =>
      expect(bodyOf(server(), createPublication)).toMatchObject({ acceptedFindings: ['darker', 'unknownHolidays'] }),
    );
  });

  test('an error blocks it and says what to change', async () => {
    server().answer(previewPublication, shown({ findings: [floor] }));
    await open();
    await chooseRoad();
    await screen.findByText(/三盏平均 30%，低于下限 50%/);
    expect(screen.getByText(/提高这个时段的亮度/)).toBeTruthy();
    expect(screen.getByText('1 个问题阻止发布')).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: '发布到 236 盏' }).disabled).toBe(true);
  });

  test('the difference over a year of this version and these lamps is one press away', async () => {
    server().answer(simulatePlans, {
      id: 7,
      createdAt: at,
      scope: { roadIds: [1] },
      from: '2026-11-25',
      to: '2027-11-24',
      a: null,
      b: { schemeId: 5, code: 'JN-03', name: '主干路', number: 2 },
      pricePerKwh: null,
      kgCo2PerKwh: null,
      task: null,
      result: null,
    });
    const { address } = await open();
    await chooseRoad();
    await press('看一年的差别');
    await waitFor(() => expect(server().of(simulatePlans)).toHaveLength(1));
    expect(bodyOf(server(), simulatePlans)).toEqual({
      scope: { roadIds: [1] },
      from: '2026-11-25',
      to: '2027-11-24',
      b: { schemeId: 5, number: 2 },
    });
    await waitFor(() => expect(address()).toBe('/lamp/scheme?tab=simulation&simulation=7'));
  });

  test('any later night can be picked', async () => {
    await open();
    await chooseRoad();
    await screen.findByText('655 kWh');
    await chooseOption(screen.getByRole('combobox', { name: '从哪一夜起' }), '另选一天');
    const picked = await screen.findByRole<HTMLInputElement>('textbox', { name: '另选一天' });
    // Never a picker without a day, which would publish as soon as possible.
    expect(picked.value).toBe('2026-11-28');
    await waitFor(() => expect(bodyOf(server(), previewPublication)).toMatchObject({ effectiveFrom: '2026-11-28' }));
    fireEvent.mouseDown(picked);
    fireEvent.change(picked, { target: { value: '2026-12-20' } });
    fireEvent.keyDown(picked, { key: 'Enter', code: 'Enter' });
    await waitFor(() => expect(bodyOf(server(), previewPublication)).toMatchObject({ effectiveFrom: '2026-12-20' }));
  });

  test('where a second person is needed a reason is too', async () => {
    server().answer(previewPublication, shown({ needsSecond: true, darkens: 236 }));
    server().answer(createPublication, { id: 12, total: 240, phase: 'awaitingApproval' });
    await open();
    await chooseRoad();
    await screen.findByText(/提交后 10 分钟内由另一人决定/);
    await press('提交审批（236 盏）');
    await screen.findByText('请写明原因');
    fireEvent.change(screen.getByRole('textbox', { name: /^原因/ }), { target: { value: '深夜减光' } });
    await press('提交审批（236 盏）');
    await waitFor(() => expect(bodyOf(server(), createPublication)).toMatchObject({ reason: '深夜减光' }));
  });

  test('a request whose answer got lost is sent again under the same name', async () => {
    server().on(createPublication, () => ({ status: 503, body: { status: 503, detail: '稍后再试' } }));
    await open();
    await chooseRoad();
    await press('发布到 236 盏');
    await screen.findByText(/稍后再试/);
    server().answer(createPublication, { id: 12, total: 240, phase: 'tellingCanary' });
    await press('发布到 236 盏');
    await waitFor(() => expect(server().of(createPublication)).toHaveLength(2));
    const [first, second] = [0, 1].map((index) => bodyOf(server(), createPublication, index));
    expect(second).toEqual(first);
  });

  test('lamps in another publication: that one is named and can be looked at', async () => {
    server().refuse(createPublication, 409, {
      title: '灯具已在另一次发布中',
      detail: 'BJ-0007 正处在 李强 的发布 9（JN-02）中',
      id: 9,
      lamp: 'BJ-0007',
    });
    const { address } = await open();
    await chooseRoad();
    await press('发布到 236 盏');
    await screen.findByText(/李强 的发布 9/);
    await press('看发布 #9');
    await waitFor(() => expect(address()).toBe('/lamp/publication'));
  });

  test('is accessible with findings', async () => {
    server().answer(previewPublication, shown({ findings: [darker, floor], needsSecond: true }));
    await open();
    await chooseRoad();
    await screen.findByText(/180 盏比现在暗/);
    const { violations } = await axe.run(
      within(document.body).getByRole('heading', { level: 1 }).closest('div')!.parentElement!,
      {
        rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
      },
    );
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)).toEqual([]);
  });
});
