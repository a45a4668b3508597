import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import axe from 'axe-core';
import { Route, Routes } from 'react-router';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { exportPublicationLamps } from '../../../../../contract/desk/exports.ts';
import {
  cancelPublication,
  decidePublication,
  getPublication,
  haltPublication,
  resumePublication,
  revertPublication,
} from '../../../../../contract/light/publications.ts';
import { formatTime, shownZone } from '../../../parts/time/zone.ts';
import { serverForEach } from '../../../testing/contract-server.ts';
import { publication, publicationLamp, waitingApproval } from '../../../testing/publications.ts';
import { bodyOf, press, renderInShell } from '../../../testing/shell.tsx';
import type { OpenPublication } from './index.tsx';
import PublicationPage from './index.tsx';

const server = serverForEach();
const items = [
  publicationLamp({
    deviceId: 2,
    code: 'BJ-0002',
    state: 'diverged',
    proof: {
      stepAt: '2026-11-20T15:00:00.000Z',
      expected: 60,
      observed: 100,
      readingAt: '2026-11-20T15:04:00.000Z',
      misses: 2,
    },
  }),
  publicationLamp({
    deviceId: 3,
    code: 'BJ-0003',
    state: 'diverged',
    reason: 'otherPlan',
    reportedHash: '222222222222',
    proof: {
      stepAt: '2026-11-20T15:00:00.000Z',
      expected: 60,
      observed: 60,
      readingAt: '2026-11-20T15:04:00.000Z',
      misses: 2,
    },
  }),
  publicationLamp({ deviceId: 4, code: 'BJ-0004', state: 'away', heardAt: null }),
  publicationLamp({ deviceId: 5, code: 'BJ-0005', state: 'cannot', reason: 'noPlace' }),
  publicationLamp({
    deviceId: 6,
    code: 'BJ-0006',
    state: 'proven',
    canary: true,
    proof: {
      stepAt: '2026-11-20T15:00:00.000Z',
      expected: 60,
      observed: 60,
      readingAt: '2026-11-20T15:03:00.000Z',
      misses: 0,
    },
  }),
];
const whole = (more: Partial<OpenPublication> = {}): OpenPublication => ({
  ...publication(),
  nextProof: null,
  roads: [
    { roadId: 1, name: '滨江大道', total: 80, states: { proven: 78, away: 2 } },
    { roadId: 2, name: '望江路', total: 40, states: { proven: 22, reported: 12, diverged: 3, away: 2, cannot: 1 } },
  ],
  items,
  recordsTotal: 120,
  ...more,
});
const open = (search = '', codes: readonly string[] = ['plan.query', 'plan.publish', 'lamp.approve']) =>
  renderInShell(
    <Routes>
      <Route path="/lamp/publication/:id" element={<PublicationPage />} />
      <Route path="*" element={<p>elsewhere</p>} />
    </Routes>,
    {
      address: `/lamp/publication/12${search}`,
      codes,
      pages: ['lamp/publications', 'lamp/publication', 'lamp/device', 'lamp/scheme'],
      live: server(),
    },
  );
const figures = (name: RegExp): Record<string, string> =>
  Object.fromEntries(
    within(screen.getByRole('list', { name }))
      .getAllByRole('button')
      .map((one) => [one.querySelector('span')?.textContent ?? '', one.querySelector('b')?.textContent ?? '']),
  );
const dialog = async () => within(await screen.findByRole('dialog'));
const because = async (text: string): Promise<void> =>
  void fireEvent.change((await dialog()).getByRole('textbox', { name: /^原因/ }), { target: { value: text } });
const row = (code: string): string =>
  screen
    .getAllByRole('row', { hidden: true })
    .map((one) => one.textContent)
    .find((text) => text.includes(code)) ?? '';
const offered = (): string[] =>
  ['继续', '暂停', '撤回', '取消发布'].filter((name) => screen.queryByRole('button', { name }) !== null);

beforeEach(() => server().answer(getPublication, whole()));

describe('how far it got', () => {
  test('is said in words and figures; each figure narrows the lamps to its state', async () => {
    const { address } = await open();
    await screen.findByText('BJ-0002');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('主干路 第 7 版');
    expect(screen.getByText('120 盏里 100 盏已证明')).toBeTruthy();
    expect(figures(/^每一步/)).toEqual({ 等待: '0', 已下发: '0', 已回报: '12', 已证明: '100' });
    expect(figures(/^没有走完/)).toEqual({ 不一致: '3', 失联: '4', 不能执行: '1' });
    await press(/不一致/);
    await waitFor(() => expect(server().of(getPublication).at(-1)?.query.get('state')).toBe('diverged'));
    expect(address()).toContain('state=diverged');
  });

  test('stands by road, those with something to look at first; a road narrows the lamps', async () => {
    await open();
    const table = within((await screen.findByText('按道路（2）')).closest('section')!);
    expect(table.getAllByRole('rowheader').map((one) => one.textContent)).toEqual(['望江路', '滨江大道']);
    await press('望江路');
    await waitFor(() => expect(server().of(getPublication).at(-1)?.query.get('roadId')).toBe('2'));
  });

  test('says when lamps will be proven, and when the first have switched; the next answer moves it', async () => {
    const at = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();
    const wall = (time: string): string => formatTime(time, 'dayTime', shownZone.getState().zone);
    const first = at(60);
    server().answer(getPublication, whole({ nextProof: { first, last: at(62) } }));
    await open();
    const line = await screen.findByText(/^下一次证明：约 .*（第一盏）至 .*\d\d:\d\d（最后一盏）/);
    expect(line.textContent).toContain(`${wall(first)}（第一盏）`);
    const passed = at(-2);
    server().answer(getPublication, whole({ nextProof: { first: passed, last: passed } }));
    server().tell({ type: 'publications' });
    await screen.findByText(`正在证明：${wall(passed)} 的计划动作已到，等灯的读数`);
    server().answer(getPublication, whole());
    server().tell({ type: 'publications' });
    await waitFor(() => expect(screen.queryByText(/证明：/)).toBeNull());
  });

  test('the search box keeps the focus when it has asked', async () => {
    await open();
    await screen.findByText('BJ-0002');
    const box = screen.getByRole<HTMLInputElement>('searchbox', { name: '按编号、名称查找' });
    box.focus();
    fireEvent.change(box, { target: { value: 'BJ-0004' } });
    fireEvent.keyDown(box, { key: 'Enter' });
    await waitFor(() => expect(server().of(getPublication).at(-1)?.query.get('q')).toBe('BJ-0004'));
    expect(document.activeElement).toBe(box);
    expect(box.value).toBe('BJ-0004');
  });

  test('who sees a part of its lamps is offered no act, and is told why', async () => {
    server().answer(getPublication, whole({ whole: false }));
    await open();
    await screen.findByText('您只看得到其中一部分灯');
    expect(offered()).toEqual([]);
  });

  test('every lamp says why it stands where it does', async () => {
    await open();
    await screen.findByText('BJ-0002');
    expect(row('BJ-0002')).toMatch(/应为 60%，\d\d:04 读到 100% （已有 2 次）/);
    expect(row('BJ-0003')).toContain(
      '有两次计划动作时，设备回报运行的不是下发的方案 · 回报的是 222222222222，应为 111111111111',
    );
    expect(row('BJ-0004')).toContain('从来没有收到过读数');
    expect(row('BJ-0005')).toContain('没有位置，算不出日出日落');
    expect(row('BJ-0006')).toMatch(/先试.*应为 60%，\d\d:03 读到 60%/);
  });

  test('follows the live line', async () => {
    await open();
    await screen.findByText('120 盏里 100 盏已证明');
    server().answer(getPublication, whole({ phase: 'done', states: { proven: 117, diverged: 3 } }));
    await waitFor(() => {
      server().tell({ type: 'publications' });
      expect(screen.getByText('已完成，有不一致')).toBeTruthy();
    });
    expect(screen.getByText('120 盏里 117 盏已证明')).toBeTruthy();
  });

  test('one that is not there says so', async () => {
    server().refuse(getPublication, 404, { message: '没有找到' });
    await open();
    await screen.findByText('没有这次发布，或者它不在您能看到的项目里');
  });

  test('is accessible', async () => {
    await open();
    await screen.findByText('BJ-0002');
    const { violations } = await axe.run(document.body, {
      rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
    });
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)).toEqual([]);
  });
});

describe('what can be done', () => {
  const passed = {
    passed: true,
    at: '2026-11-20T15:05:00.000Z',
    reportedPercent: 100,
    provenPercent: 97.5,
    litPercent: 100,
    litBeforePercent: 100,
    newAlarms: 0,
  };
  test.each<[string, Partial<OpenPublication>, string[]]>([
    ['nothing was told: it is given up', { phase: 'awaitingApproval', states: { waiting: 120 } }, ['取消发布']],
    [
      'the first part is being told',
      { phase: 'tellingCanary', states: { told: 3, pending: 3, waiting: 114 } },
      ['暂停', '撤回'],
    ],
    [
      'the first part passed: a person goes on',
      { phase: 'judging', judged: passed, states: { proven: 6, waiting: 114 } },
      ['继续', '暂停', '撤回'],
    ],
    ['all are told: nothing is left to halt', { phase: 'proving', states: { reported: 120 } }, ['撤回']],
    ['halted', { phase: 'halted', states: { told: 6, waiting: 114 } }, ['继续', '撤回']],
    ['over', { phase: 'reverted', states: { superseded: 120 } }, []],
  ])('%s', async (_name, more, acts) => {
    server().answer(getPublication, whole(more));
    await open();
    await screen.findByText('BJ-0002');
    expect(offered()).toEqual(acts);
  });

  test('nothing without the right', async () => {
    await open('', ['plan.query']);
    await screen.findByText('BJ-0002');
    expect(offered()).toEqual([]);
  });

  test('R twice within two seconds asks to take it back; once, too late, while typing or in a dialog it does not', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    server().answer(getPublication, whole({ phase: 'proving', states: { reported: 120 } }));
    await open();
    await screen.findByRole('button', { name: '撤回' });
    const r = () => act(async () => void fireEvent.keyDown(document.body, { key: 'r' }));
    await r();
    vi.setSystemTime(Date.now() + 2_001);
    await r();
    expect(screen.queryByRole('dialog')).toBeNull();
    await act(async () => void fireEvent.keyDown(screen.getAllByRole('textbox')[0]!, { key: 'r' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    await r();
    const box = await dialog();
    // What follows is asked as ever.
    expect(box.getByRole<HTMLButtonElement>('button', { name: '撤回 120 盏' }).disabled).toBe(true);
    await r();
    expect(screen.getAllByRole('dialog')).toHaveLength(1);
    expect(server().of(revertPublication)).toEqual([]);
  });

  test('R twice does nothing where nothing may be taken back', async () => {
    server().answer(getPublication, whole({ phase: 'awaitingApproval', states: { pending: 120 } }));
    await open();
    await screen.findByRole('button', { name: '取消发布' });
    for (let times = 0; times < 2; times += 1)
      await act(async () => void fireEvent.keyDown(document.body, { key: 'r' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('taking back needs a reason and is confirmed twice; the return is shown', async () => {
    server().answer(revertPublication, { id: 12, phase: 'reverting', revertId: 13, lamps: 119, darker: 40 });
    server().wouldChange(revertPublication, {}, { id: 12, phase: 'done', revertId: 13, lamps: 119, darker: 40 });
    const { address } = await open();
    await press('撤回');
    const box = await dialog();
    const ok = box.getByRole<HTMLButtonElement>('button', { name: '撤回 119 盏' });
    expect(ok.disabled).toBe(true);
    await box.findByText('将影响 119 盏灯；40 盏变暗；要由第二人同意');
    fireEvent.click(box.getByRole('checkbox', { name: /这 119 盏要回到之前的方案/ }));
    await press('撤回 119 盏');
    await box.findByText('请写明原因');
    expect(server().of(revertPublication)).toEqual([]);
    await because('路口投诉太暗');
    await press('撤回 119 盏');
    await waitFor(() => expect(bodyOf(server(), revertPublication)).toEqual({ reason: '路口投诉太暗' }));
    await waitFor(() => expect(address()).toBe('/lamp/publication'));
  });

  test('going on, halting and giving up are each asked about', async () => {
    server().answer(getPublication, whole({ phase: 'halted', states: { told: 6, waiting: 114 } }));
    server().answer(resumePublication, { id: 12, phase: 'tellingAll' });
    await open();
    server().wouldChange(resumePublication, { publicationLamps: { added: 0, changed: 112, removed: 0 } });
    await press('继续');
    // Two of the 114 were taken out of use since.
    await (await dialog()).findByText('将影响 112 盏灯');
    server().answer(getPublication, whole({ phase: 'tellingAll', states: { told: 50, pending: 70 } }));
    await press('继续，下发给 114 盏');
    await waitFor(() => expect(bodyOf(server(), resumePublication)).toEqual({}));
    server().answer(haltPublication, { id: 12, phase: 'halted' });
    await press('暂停');
    await because('先看看');
    server().answer(getPublication, whole({ phase: 'awaitingApproval', states: { waiting: 120 } }));
    fireEvent.click((await dialog()).getByRole('button', { name: '暂停' }));
    await waitFor(() => expect(bodyOf(server(), haltPublication)).toEqual({ reason: '先看看' }));
    server().answer(cancelPublication, { id: 12, phase: 'cancelled' });
    await press('取消发布');
    await because('写错了');
    fireEvent.click((await dialog()).getByRole('button', { name: '取消发布' }));
    await waitFor(() => expect(bodyOf(server(), cancelPublication)).toEqual({ reason: '写错了' }));
  });

  test('a refusal stays in its dialog with what was typed', async () => {
    server().answer(getPublication, whole({ phase: 'halted', states: { told: 6, waiting: 114 } }));
    server().refuse(resumePublication, 409, { title: '发布当前阶段不能这样做', detail: '发布的状态已变' });
    await open();
    await press('继续');
    await because('继续吧');
    await press('继续，下发给 114 盏');
    const box = await dialog();
    await box.findByText(/发布的状态已变/);
    expect(box.getByRole<HTMLTextAreaElement>('textbox', { name: /^原因/ }).value).toBe('继续吧');
  });

  test('a second person agrees here; the publisher reads that somebody else has to', async () => {
    const waiting = (hindrance: 'own' | null) =>
      whole({ phase: 'awaitingApproval', states: { waiting: 120 }, approval: waitingApproval(hindrance), darkens: 90 });
    server().answer(getPublication, waiting(null));
    server().answer(decidePublication, { id: 12, phase: 'tellingCanary' });
    await open();
    await press('同意');
    (await dialog()).getByText(/周敏 要发布：主干路 第 7 版，滨江大道 · 120 盏.*90 盏会比现在暗。 原因：深夜减光/);
    server().answer(getPublication, waiting('own'));
    await press('同意，先下发给 6 盏');
    await waitFor(() => expect(bodyOf(server(), decidePublication)).toEqual({ approved: true }));
    await screen.findByText(/自己的发布须由他人审批/);
    expect(screen.queryByRole('button', { name: '同意' })).toBeNull();
  });

  test('an approval of everything says that everything is told', async () => {
    const all = { phase: 'awaitingApproval', states: { waiting: 120 }, approval: waitingApproval(null) } as const;
    server().answer(getPublication, whole({ ...all, canary: null }));
    server().answer(decidePublication, { id: 12, phase: 'tellingAll' });
    await open();
    await press('同意');
    await press('同意，下发给全部 120 盏');
    await waitFor(() => expect(bodyOf(server(), decidePublication)).toEqual({ approved: true }));
  });

  test.each([
    ['taken back already', { phase: 'done', revertedBy: 13 }, []],
    ['that may be taken back', { phase: 'done' }, ['撤回']],
    [
      'of which a return begins and told nobody',
      { phase: 'tellingAll', reverts: 7, states: { pending: 120 } },
      ['暂停'],
    ],
    ['that is halted, a return that told nobody', { phase: 'halted', reverts: 7, states: { waiting: 120 } }, ['继续']],
    ['that began and told nobody', { phase: 'tellingAll', states: { pending: 120 } }, ['暂停', '取消发布']],
  ] as const)('one %s offers what can be done', async (_which, more, acts) => {
    server().answer(getPublication, whole(more));
    await open();
    await screen.findByText('BJ-0002');
    expect(offered()).toEqual(acts);
  });

  test('its lamps are exported as they are narrowed, in the format that is chosen', async () => {
    server().answer(exportPublicationLamps, {
      id: 9,
      kind: 'export.publication-lamps',
      state: 'queued',
      done: 0,
      total: null,
      params: { publicationId: 12, format: 'csv', workAreaId: null },
      error: null,
      file: null,
      createdAt: '2026-11-20T15:05:00.000Z',
      endedAt: null,
    });
    await open('?state=diverged,nothing&q=BJ&road=7&canary=true');
    await screen.findByText('BJ-0002');
    await press('导出');
    fireEvent.click(await screen.findByText('文本表格（.csv）'));
    await waitFor(() =>
      expect(bodyOf(server(), exportPublicationLamps)).toEqual({
        format: 'csv',
        publicationId: 12,
        state: 'diverged',
        q: 'BJ',
        roadId: 7,
        canary: true,
      }),
    );
  });

  test('a first part that failed says what was wanted and shown, and where the return is followed', async () => {
    server().answer(
      getPublication,
      whole({
        phase: 'reverting',
        states: { superseded: 120 },
        judged: {
          passed: false,
          at: '2026-11-20T15:05:00.000Z',
          reportedPercent: 100,
          provenPercent: 83.3,
          litPercent: 96,
          litBeforePercent: 99,
          newAlarms: 2,
        },
        halted: { why: 'canary', at: '2026-11-20T15:05:00.000Z', by: null, reason: null },
        revertedBy: 13,
      }),
    );
    const { address } = await open();
    await screen.findByText('先试没有通过，已自动撤回');
    expect(screen.getByText(/证明 83.3%（要求 95%），亮灯率 96%（前一夜 99%），新告警 2。/)).toBeTruthy();
    const [link] = screen.getAllByRole('button', { name: '#13' });
    fireEvent.click(link!);
    await waitFor(() => expect(address()).toBe('/lamp/publication'));
  });
});
