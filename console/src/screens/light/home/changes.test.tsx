import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { namesFor } from '../../../locales/catalogue-names.ts';
import { shownZone } from '../../../parts/time/zone.ts';
import { renderInShell } from '../../../testing/shell.tsx';
import { Changes } from './Changes.tsx';

afterEach(cleanup);

const change = {
  at: '2026-11-20T20:10:00.000Z',
  beganAt: '2026-11-20T20:10:00.000Z',
  endedAt: null,
  lastAt: '2026-11-20T20:10:00.000Z',
  seconds: null,
  times: 1,
  kind: 'offline' as const,
  fault: null,
  count: 1,
  open: 1,
  roadId: 7,
  roadName: '滨江大道',
  deviceId: 42,
  code: 'BJ-0042',
  family: 'single-lamp-controller',
};
const data = [
  {
    ...change,
    at: '2026-11-20T21:01:00.000Z',
    count: 12,
    open: 0,
    deviceId: null,
    code: null,
    times: 12,
    endedAt: '2026-11-20T21:01:00.000Z',
    seconds: 3060,
  },
  { ...change, count: 12, open: 3, deviceId: null, code: null, times: 12 },
  change,
  {
    ...change,
    kind: 'fault' as const,
    fault: 'L101' as const,
    endedAt: '2026-11-20T20:40:00.000Z',
    seconds: 1800,
    open: 0,
  },
  {
    ...change,
    kind: 'link' as const,
    family: 'gateway',
    count: 2,
    open: 0,
    deviceId: null,
    code: null,
    times: 5,
    endedAt: '2026-11-20T20:40:00.000Z',
    seconds: 20,
  },
];

test('each line says when it began and ended, whether it is over, and of how many', async () => {
  shownZone.setState({ zone: 'Asia/Shanghai' });
  // Years are written when they differ from this one.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-23T12:00:00.000Z') });
  onTestFinished(() => void vi.useRealTimers());
  await namesFor('zh-CN');
  const changes = {
    data: { since: '2026-11-20T08:00:00.000Z', recordsTotal: data.length, data },
    error: null,
    isPending: false,
    refetch: () => Promise.resolve(),
  };
  await renderInShell(<Changes changes={changes as unknown as Parameters<typeof Changes>[0]['changes']} />, {
    address: '/x',
    codes: ['lamp.monitor'],
  });
  await screen.findAllByText('滨江大道');
  expect(screen.getAllByRole('listitem').map((line) => line.textContent)).toEqual([
    '05:0112 盏 离线 已结束11-21 04:10 – 05:0151分钟滨江大道',
    expect.stringMatching(/^04:1012 盏 离线11-21 04:10 起，至今 .* · 9 个已恢复，3 个未恢复滨江大道$/) as string,
    expect.stringMatching(/^04:10BJ-0042 离线11-21 04:10 起，至今 /) as string,
    expect.stringMatching(/^04:10BJ-0042 .* 已结束11-21 04:10 – 04:4030分钟滨江大道$/) as string,
    expect.stringMatching(/^04:102 台.*链路中断 已结束11-21 04:10 – 04:4020秒5 次滨江大道$/) as string,
  ]);
});
