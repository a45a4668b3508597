import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { getHomeChanges } from '../../../../../contract/light/home.ts';
import { useCall } from '../../../api/index.ts';
import { namesFor } from '../../../locales/catalogue-names.ts';
import { shownZone } from '../../../parts/time/zone.ts';
import { serverForEach } from '../../../testing/contract-server.ts';
import { press, renderInShell } from '../../../testing/shell.tsx';
import type { HomeLine } from './calls.ts';
import { Needs } from './Needs.tsx';

afterEach(cleanup);
const server = serverForEach();

const line: HomeLine = {
  at: '2026-11-20T20:10:00.000Z',
  beganAt: '2026-11-20T20:10:00.000Z',
  endedAt: null,
  lastAt: '2026-11-20T20:10:00.000Z',
  seconds: null,
  times: 1,
  kind: 'offline',
  fault: null,
  reason: 'silent',
  level: 2,
  count: 1,
  open: 1,
  roads: 1,
  roadId: 7,
  roadName: '滨江大道',
  deviceId: 42,
  code: 'BJ-0042',
  family: 'single-lamp-controller',
};
const many = { count: 12, open: 12, deviceId: null, code: null, times: 12 };
const open: HomeLine[] = [
  { ...line, ...many, kind: 'fault', fault: 'L112', reason: null, level: 1 },
  { ...line, ...many, roads: 3, roadId: null, roadName: null },
  line,
];
const ended: HomeLine[] = [
  {
    ...line,
    ...many,
    kind: 'link',
    reason: 'network',
    open: 0,
    level: 3,
    count: 731,
    times: 731,
    roads: 17,
    roadId: null,
    roadName: null,
    endedAt: '2026-11-20T20:10:19.000Z',
    seconds: 19,
  },
];
const tonight = {
  day: '2026-11-20',
  schemes: [],
  moreSchemes: { schemes: 0, lamps: 0 },
  own: 0,
  exceptions: { inForce: 0, planned: 0, lamps: 0 },
  publications: { underWay: 2, halted: 1, waiting: 0, lamps: 0 },
  notOnPlan: { lamps: 1_260, publications: [{ id: 9, lamps: 30 }] },
  rehearsal: null,
  lastNight: null,
};

function Page({ night }: { night: typeof tonight }) {
  return <Needs changes={useCall(getHomeChanges, { query: {} })} tonight={night} />;
}

async function opened(lines: { open: HomeLine[]; ended: HomeLine[] }, night = tonight) {
  shownZone.setState({ zone: 'Asia/Shanghai' });
  // Years are written when they differ from this one.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-20T22:12:00.000Z') });
  onTestFinished(() => void vi.useRealTimers());
  await namesFor('zh-CN');
  const told = (data: HomeLine[]) => ({ data, lines: data.length, devices: data.reduce((n, one) => n + one.count, 0) });
  server().answer(getHomeChanges, {
    since: '2026-11-20T08:00:00.000Z',
    open: told(lines.open),
    ended: told(lines.ended),
  });
  return renderInShell(<Page night={night} />, {
    address: '/home',
    codes: ['lamp.monitor', 'plan.query'],
    pages: ['lamp/publications', 'lamp/publication', 'lamp/monitor'],
  });
}

test('severe faults first, then what waits for a decision, then the others; what is over is folded away', async () => {
  const { address } = await opened({ open, ended });
  await screen.findByText('731 盏');
  expect(screen.getAllByRole('listitem').map((one) => one.textContent)).toEqual([
    '12 盏 继电器粘连滨江大道 · 04:10 起，至今 2小时 2分钟',
    expect.stringMatching(/^1 次方案发布已暂停/) as string,
    '12 盏 离线未按时上报 · 3 条道路 · 04:10 起，至今 2小时 2分钟',
    'BJ-0042 离线未按时上报 · 滨江大道 · 04:10 起，至今 2小时 2分钟',
    '1,260 盏 未按方案的灯方案发布 #9',
    '731 盏 链路中断 已结束网络断开 · 17 条道路 · 04:10 – 04:1019秒',
  ]);
  expect(screen.getByText('今夜已恢复：731 台，1 项').closest('details')?.open).toBe(false);
  screen.getByText('25 台，3 项');
  await press('1,260 盏 未按方案的灯');
  await waitFor(() => expect(address()).toBe('/lamp/monitor?view=list&plan=astray'));
});

test('where nothing is wrong one sentence says so, and no zero is counted', async () => {
  await opened(
    { open: [], ended: [] },
    { ...tonight, publications: { ...tonight.publications, halted: 0 }, notOnPlan: { lamps: 0, publications: [] } },
  );
  await screen.findByText('没有故障，没有离线。');
  expect(screen.queryAllByRole('listitem')).toEqual([]);
  expect(screen.queryByText(/0/)).toBeNull();
});
