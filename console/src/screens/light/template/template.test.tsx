import { act, cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import axe from 'axe-core';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { templateFamilies } from '../../../../../catalogue/lighting/families.ts';
import type { TemplateContent } from '../../../../../catalogue/lighting/plan/scheme.ts';
import { getHome } from '../../../../../contract/light/home.ts';
import {
  createTemplate,
  freezeTemplate,
  getTemplate,
  getTemplateVersion,
  importTemplate,
  listTemplates,
  listTemplateVersions,
  retireTemplate,
  saveTemplateDraft,
} from '../../../../../contract/light/templates.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { getWorkAreaOptions } from '../../../../../contract/specified/account.ts';
import { templateKind } from '../../../parts/versioned/template-kind.ts';
import { contractServer, type ContractServer } from '../../../testing/contract-server.ts';
import { bodyOf, press, renderInShell } from '../../../testing/shell.tsx';
import Templates from '../templates/index.tsx';
import TemplatePage from './index.tsx';

configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });

const at = '2026-11-25T12:00:00.000Z';
const content: TemplateContent = { ...templateKind.fresh, light: { lux: 20, sensitivity: 128, delayMinutes: 5 } };
const row: ReplyOf<typeof listTemplates>['data'][number] = {
  id: 5,
  code: 'CS-01',
  name: '标准参数',
  workAreaId: null,
  workAreaName: null,
  state: 'inUse',
  version: 3,
  draft: null,
  newest: { number: 2, hash: '0123456789ab', at, by: 'admin' },
  lamps: { following: 120, unreported: 3, diverged: 1, byVersion: [{ number: 2, following: 120 }] },
  editable: true,
  deletable: false,
  createdAt: at,
  updatedAt: at,
};
const template = { ...row, content, family: templateFamilies[0] };
const version = (number: number, change: Partial<TemplateContent>) => ({
  number,
  hash: '0123456789ab',
  note: `第${number}稿`,
  basedOn: number === 1 ? null : number - 1,
  by: 'admin',
  at,
  following: 0,
  unreported: 0,
  diverged: 0,
  contentHash: '0'.repeat(64),
  content: { ...content, ...change },
  family: templateFamilies[0],
});

let server: ContractServer;
const open = (tab = '', codes = ['plan.template']) =>
  renderInShell(
    <Routes>
      <Route path="/lamp/template/:id" element={<TemplatePage />} />
    </Routes>,
    { address: `/lamp/template/5${tab}`, codes, pages: ['lamp/templates'] },
  );
const number = (name: RegExp | string) => screen.findByRole('spinbutton', { name });
const type = async (name: RegExp | string, value: string) =>
  fireEvent.change(await number(name), { target: { value } });

beforeEach(async () => {
  server = await contractServer();
  server.refuse(getHome, 503, { message: '—' });
  server.answer(getTemplate, template);
  server.answer(getWorkAreaOptions, { success: true, data: [], msg: '' });
  server.answer(listTemplates, { data: [row], recordsTotal: 1 });
  server.answer(listTemplateVersions, { data: [version(2, {}), version(1, {})], recordsTotal: 2 });
});
afterEach(async () => {
  cleanup();
  await server.close();
});

test('the list says what is in force on how many lamps; / searches, N begins a new template, a file brings one', async () => {
  await renderInShell(<Templates />, {
    address: '/lamp/templates',
    codes: ['plan.template'],
    pages: ['lamp-template'],
  });
  const line = within((await screen.findByText('CS-01')).closest('tr')!);
  for (const text of ['标准参数', '在用', '第 2 版', '120', '3']) expect(line.getByText(text)).toBeTruthy();
  fireEvent.keyDown(window, { key: '/' });
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: '编号、名称' }));
  await act(async () => void fireEvent.keyDown(window, { key: 'n' }));
  const dialog = () => within(screen.getByRole('dialog'));
  fireEvent.change(dialog().getByRole('textbox', { name: /编号/ }), { target: { value: 'CS-02' } });
  fireEvent.change(dialog().getByRole('textbox', { name: /名称/ }), { target: { value: '支路参数' } });
  server.answer(createTemplate, { ...template, id: 6, code: 'CS-02', name: '支路参数' });
  await press('建立');
  await waitFor(() =>
    expect(bodyOf(server, createTemplate)).toEqual({ code: 'CS-02', name: '支路参数', workAreaId: null }),
  );
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const file = { format: 'lampyris-template/1', code: 'CS-03', name: '来自文件', content };
  server.answer(importTemplate, { ...template, id: 7, code: 'CS-03', name: '来自文件' });
  fireEvent.change(screen.getByLabelText('导入 JSON'), {
    target: { files: [new File([JSON.stringify(file)], 'CS-03-1.json', { type: 'application/json' })] },
  });
  await screen.findByRole('dialog');
  await press('建立');
  await waitFor(() =>
    expect(bodyOf(server, importTemplate)).toEqual({ code: 'CS-03', name: '来自文件', workAreaId: null, file }),
  );
});

test('every field stands with what it does and what it may be; what is wrong is said at once and asks nothing', async () => {
  const { tabs } = await open();
  const field = (await number(/^亮灯时上报间隔/)).closest('div[class*="field"]') ?? document.body;
  expect(field.textContent).toContain('允许 60 至 86,400 秒');
  expect(field.textContent).toContain('即 15分钟');
  for (const name of [/^亮灯时上报间隔/, /^上电亮度/, /^灵敏度/]) await type(name, '');
  await waitFor(() => expect([...tabs.getState().unsaved.keys()]).toEqual(['/lamp/template/5']));
  await press('保存草稿');
  await screen.findByText(/^3 处需要修改。请检查信息是否完整$/);
  await waitFor(async () => expect(document.activeElement).toBe(await number(/^亮灯时上报间隔/)));
  expect(screen.getAllByText('不能为空')).toHaveLength(3);
  expect(server.of(saveTemplateDraft)).toEqual([]);
  await type(/^亮灯时上报间隔/, '600');
  await type(/^上电亮度/, '50');
  fireEvent.click(screen.getByRole('switch', { name: '设置光照传感器' }));
  const saved = { ...content, reportLitSeconds: 600, powerUpLevel: 50, light: null };
  server.answer(saveTemplateDraft, { ...template, version: 4, content: saved, draft: { by: 'admin', at, basedOn: 2 } });
  await press('保存草稿');
  await waitFor(() => expect(bodyOf(server, saveTemplateDraft)).toEqual({ version: 3, content: saved }));
});

test('a place for all, limits of alarms, and the programme without a scheme are part of the content', async () => {
  await open();
  fireEvent.click(await screen.findByRole('radio', { name: '统一经纬度' }));
  await type(/^纬度/, '45.8');
  await type(/^经度/, '126.53');
  fireEvent.click(screen.getByRole('switch', { name: '自定“过压”的阈值' }));
  await type(/^L105 过压/, '253');
  fireEvent.click(screen.getByRole('switch', { name: '自定“欠压”的阈值' }));
  await type(/^L106 欠压/, '254');
  await press('保存草稿');
  await screen.findByText(/^2 处需要修改/);
  await type(/^L106 欠压/, '200');
  fireEvent.click(screen.getByRole('radio', { name: '备用时段' }));
  await type('时段 1：亮度', '80');
  server.answer(saveTemplateDraft, { ...template, version: 4 });
  await press('保存草稿');
  await waitFor(() =>
    expect(bodyOf(server, saveTemplateDraft)).toMatchObject({
      content: {
        latitude: 45.8,
        longitude: 126.53,
        thresholds: { L105: 253, L106: 200 },
        fallbackProgramme: { periods: [{ level: 80 }] },
      },
    }),
  );
});

test('the second saver sees both values of what both changed, and chooses', async () => {
  await open();
  await type(/^渐变时间/, '30');
  server.refuse(saveTemplateDraft, 409, {
    message: '已被他人修改',
    difference: {
      version: 9,
      by: 'wang',
      at,
      base: content,
      theirs: { ...content, rampSeconds: 60, thresholds: { L105: 250 } },
      mine: { ...content, rampSeconds: 30 },
      onlyTheirs: ['thresholds.L105'],
      onlyMine: [],
      both: ['rampSeconds'],
    },
  });
  await press('保存草稿');
  const choice = within((await screen.findByText(/wang 在 .* 先保存了草稿/)).closest('section')!);
  expect([choice.getByText('30 秒'), choice.getByText('60 秒')]).toHaveLength(2);
  expect(screen.getByText('告警阈值：L105 过压 250 V')).toBeTruthy();
  await press('按所选继续');
  server.answer(saveTemplateDraft, { ...template, version: 10 });
  await press('保存草稿');
  await waitFor(() =>
    expect(bodyOf(server, saveTemplateDraft)).toEqual({
      version: 9,
      content: { ...content, rampSeconds: 30, thresholds: { L105: 250 } },
    }),
  );
});

test('a draft is frozen with a note; versions differ in words', async () => {
  server.answer(getTemplate, { ...template, draft: { by: 'admin', at, basedOn: 2 } });
  await open();
  await press('定稿');
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.change(dialog.getByRole('textbox'), { target: { value: '冬季' } });
  server.answer(freezeTemplate, version(3, {}));
  fireEvent.click(dialog.getByRole('button', { name: '定稿' }));
  await waitFor(() => expect(bodyOf(server, freezeTemplate)).toEqual({ version: 3, note: '冬季' }));
  cleanup();
  server.on(getTemplateVersion, ({ path }) => ({
    status: 200,
    body: path.includes('/versions/2')
      ? version(2, { light: null, latitude: 30.25, longitude: 120.2 })
      : version(1, { powerUpLevel: 40 }),
  }));
  await open('?tab=versions');
  const cells = async (name: RegExp) =>
    within(await screen.findByRole('row', { name }))
      .getAllByRole('cell')
      .map(({ textContent }) => textContent);
  expect(await cells(/^上电亮度/)).toEqual(['40%', '100%']);
  expect(await cells(/^纬度/)).toEqual(['每盏灯自己的', '30.25°']);
  expect((await cells(/^光照传感器/))[1]).toBe('不设置：保持安装时的样子');
});

test('freezing and retiring say what they do to lamps, once, when they are asked about', async () => {
  server.answer(getTemplate, { ...template, draft: { by: 'admin', at, basedOn: 2 } });
  server.wouldChange(freezeTemplate, { templates: { added: 1, changed: 1, removed: 1 } });
  await open();
  await press('定稿');
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByText('不影响任何灯');
  fireEvent.change(dialog.getByRole('textbox'), { target: { value: '冬季' } });
  fireEvent.click(dialog.getByRole('button', { name: '取消' }));
  server.refuseTries(retireTemplate, 409, { message: '已被他人修改' });
  expect(server.triesOf(retireTemplate)).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: '更多操作' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: '停用模板' }));
  await screen.findByText(/目前无法执行：已被他人修改/);
  const bodies = (route: typeof freezeTemplate | typeof retireTemplate) =>
    server.triesOf(route).map(({ body }) => JSON.parse(body) as unknown);
  expect([bodies(freezeTemplate), bodies(retireTemplate)]).toEqual([[{ version: 3, note: null }], [{ version: 3 }]]);
  expect(server.of(retireTemplate)).toEqual([]);
});

test('who may not change it reads why, and changes nothing', async () => {
  await open('', []);
  await screen.findByText('只能查看：没有“编辑工作参数模板”的权限');
  expect((await number(/^心跳间隔/)).hasAttribute('disabled')).toBe(true);
  expect(screen.queryByRole('button', { name: '保存草稿' })).toBeNull();
});

test('parameters and programme pass axe', async () => {
  await open();
  await number(/^亮灯时上报间隔/);
  const wrong = async () =>
    (
      await axe.run(document.body, { rules: { 'color-contrast': { enabled: false }, region: { enabled: false } } })
    ).violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
  expect(await wrong()).toEqual([]);
  fireEvent.click(screen.getByRole('radio', { name: '备用时段' }));
  await number('时段 1：亮度');
  expect(await wrong()).toEqual([]);
});
