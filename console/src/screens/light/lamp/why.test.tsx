import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { whyLamp } from '../../../../../contract/light/why.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { setPreference } from '../../../frame/preferences.ts';
import { serverForEach } from '../../../testing/contract-server.ts';
import { press, renderInShell } from '../../../testing/shell.tsx';
import { WhyPanel } from './WhyPanel.tsx';

vi.setConfig({ testTimeout: 30_000 });
const server = serverForEach();

const answer: ReplyOf<typeof whyLamp> = {
  at: '2026-11-23T16:30:00.000Z',
  timeZone: 'Asia/Shanghai',
  lamp: 'L-118',
  observed: {
    level: 100,
    power: 98,
    relay: true,
    reason: 'programme',
    planHash: '0123456789ab',
    readingAt: '2026-11-23T16:24:00.000Z',
    ageSeconds: 360,
  },
  expected: { level: 60, layer: 'scheme' },
  layers: [
    {
      layer: 'manual',
      applies: false,
      decides: false,
      op: 'set',
      value: 0,
      level: 60,
      ref: { type: 'command', id: 7, label: '7', version: null },
      by: '李值班',
      approvedBy: null,
      since: '2026-11-23T14:00:00.000Z',
      until: '2026-11-23T15:00:00.000Z',
      reason: null,
    },
    {
      layer: 'scheme',
      applies: true,
      decides: true,
      op: 'set',
      value: 60,
      level: 60,
      ref: { type: 'scheme', id: 3, label: 'JN-03 主干道节能', version: 7 },
      by: '张工',
      approvedBy: '王局',
      since: '2026-11-23T15:00:00.000Z',
      until: '2026-11-23T22:37:00.000Z',
      reason: null,
    },
  ],
  agrees: false,
  suspicions: [
    { code: 'otherPlan', weight: 'likely', evidence: { runs: '0123456789ab', told: 'ba9876543210' } },
    { code: 'fault', weight: 'likely', evidence: { codes: 'L112' } },
  ],
  next: { at: '2026-11-23T22:37:00.000Z', level: 0, layer: 'scheme' },
  lastCommands: [],
  supply: { loop: '北侧', box: 'PX-1', powered: true, by: 'contactor', contactor: true, contactorAt: null },
  floor: { roadClass: 'arterial', level: 50 },
  missing: [],
  sentence: '路灯 L-118 应为 60%。',
};

test('the panel shows layers, suspicions with what they rest on, and a sentence that is copied', async () => {
  server().answer(whyLamp, answer);
  const copied = vi.fn(() => Promise.resolve());
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: copied } });
  const { address } = await renderInShell(<WhyPanel id={118} />, {
    ...{ address: '/', codes: ['lamp.monitor'], pages: ['lamp/scheme'], live: server() },
  });
  const layers = await within(await screen.findByRole('list', { name: /控制层级/ })).findAllByRole('listitem');
  expect(layers.map((one) => one.textContent)).toEqual([
    expect.stringContaining('人工控制'),
    expect.stringContaining('节能方案 JN-03 主干道节能 v7'),
  ]);
  expect(layers[0]?.textContent).toContain('此刻不起作用');
  expect(layers[1]?.textContent).toContain('王局 同意');
  const found = within(screen.getByRole('list', { name: '相关情况' })).getAllByRole('listitem');
  expect(found[0]?.textContent).toContain('运行 0123456789ab，下发 ba9876543210');
  expect(found[1]?.textContent).toContain('L112');
  expect(screen.getByText('不一致')).toBeTruthy();
  // The account has the page of schemes, and not that of commands.
  expect(screen.queryByRole('button', { name: '#7' })).toBeNull();
  await press('复制');
  await waitFor(() =>
    expect(copied).toHaveBeenCalledWith(
      '路灯 L-118 在 2026年11月24日 00:30：实际亮度为 100%；按节能方案“JN-03 主干道节能”第 7 版应为 60%，由 张工 设定，经 王局 同意，' +
        '到 2026年11月24日 06:37 为止。实际与要求不一致。所在道路为主干路，平均亮度下限为 50%。相关情况：设备运行的不是下发的方案，设备有故障。',
    ),
  );
  await press('JN-03 主干道节能 v7');
  await waitFor(() => expect(address()).toMatch(/^\/lamp\/scheme/));
});

test('the sentence is copied in another language, which is the one of the next answer', async () => {
  server().answer(whyLamp, answer);
  const copied = vi.fn(() => Promise.resolve());
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: copied } });
  await renderInShell(<WhyPanel id={118} />, { address: '/', codes: ['lamp.monitor'], live: server() });
  onTestFinished(() => setPreference('whyLanguage', null));
  fireEvent.mouseDown(await screen.findByRole('combobox', { name: '答复的语言' }));
  fireEvent.click(await screen.findByTitle('Français'));
  const french = await screen.findByText(/^Lampadaire L-118, 24 novembre 2026/);
  expect(french.lang).toBe('fr-FR');
  expect(french.textContent).toContain('(Artère principale) garde un niveau moyen d’au moins 50');
  await press('复制');
  await waitFor(() => expect(copied).toHaveBeenCalledWith(french.textContent));
  cleanup();
  await renderInShell(<WhyPanel id={119} />, { address: '/', codes: ['lamp.monitor'], live: server() });
  await screen.findByText(/^Lampadaire L-118/);
});

test('a floor is not said where it accounts for nothing', async () => {
  server().answer(whyLamp, { ...answer, expected: { level: 100, layer: 'scheme' }, agrees: true, suspicions: [] });
  await renderInShell(<WhyPanel id={118} />, { address: '/', codes: ['lamp.monitor'], live: server() });
  expect((await screen.findByText(/^路灯 L-118 在/)).textContent).not.toContain('下限');
});

test('what is not kept of that time is said', async () => {
  server().answer(whyLamp, { ...answer, observed: null, agrees: null, suspicions: [], missing: ['readings'] });
  await renderInShell(<WhyPanel id={118} />, { address: '/', codes: ['lamp.monitor'], live: server() });
  expect(await screen.findByText('该时刻的读数已不再保存')).toBeTruthy();
  expect(screen.getByText('没有发现异常')).toBeTruthy();
  expect(screen.getByText('暂不能判断')).toBeTruthy();
});
