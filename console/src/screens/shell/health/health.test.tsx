import { cleanup, configure, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { getPreferences } from '../../../../../contract/people/me.ts';
import { getSystemHealth, healthFindings, healthSubjects } from '../../../../../contract/shell/system-health.ts';
import { contractServer, type ContractServer } from '../../../testing/contract-server.ts';
import { press, renderInShell } from '../../../testing/shell.tsx';
import SystemHealth from './index.tsx';
import type { Health } from './words.ts';
import { duration, milliseconds } from './words.ts';

configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });

const at = '2026-11-21T12:00:00.000Z';
const job = {
  name: 'seals',
  process: 'a:8080',
  everySeconds: 10,
  runs: 5,
  failures: 0,
  lastAt: at,
  lastMs: 12,
  nextAt: at,
  error: null,
};
const figures: Record<string, Health['subjects'][number]['figures']> = {
  database: { ms: 1.2, bytes: 5.2e9, used: 9, allowed: 100 },
  storage: { freeBytes: 4e11, totalBytes: 1e12 },
  ingestion: { messages: 120, readings: 118, commitMs: 12, refused: 0 },
  certificate: { endsAt: null, days: null },
};
const well: Health = {
  at,
  state: 'well',
  subjects: healthSubjects.map((subject) => ({
    subject,
    state: 'well',
    since: at,
    findings: [],
    figures: figures[subject] ?? {},
  })),
  processes: [
    {
      id: 'a',
      name: 'a:8080',
      pid: 1,
      version: '0.1.0',
      startedAt: at,
      seenAt: at,
      lost: false,
      own: true,
      memoryBytes: 2e8,
      cpuPercent: 12.5,
      eventLoopMs: 9,
      databaseConnections: 4,
      liveReaders: 2,
      leases: ['judging', 'ingest/2'],
    },
  ],
  jobs: [job],
  refused: [],
  samples: [],
  changes: [],
  sizes: [
    { group: 'readings', bytes: 3e9 },
    { group: 'other', bytes: 1e9 },
  ],
};
let server: ContractServer;
beforeEach(async () => {
  server = await contractServer();
  server.answer(getPreferences, { preferences: {}, warnings: [] });
  server.answer(getSystemHealth, well);
});
afterEach(async () => {
  cleanup();
  await server.close();
});
const open = () => renderInShell(<SystemHealth />, { address: '/system/health', codes: ['system.health'] });
const rows = async (name: string) =>
  within(await screen.findByRole('table', { name }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent);

test('a good system in one sentence, every subject with its numbers, processes and work by name', async () => {
  await open();
  expect(await screen.findByText('一切正常')).toBeTruthy();
  expect((await screen.findByRole('heading', { name: '数据库' })).closest('li')?.textContent).toMatch(
    /正常.*应答 1.2毫秒大小 5.2 GB连接 9 \/ 100/,
  );
  expect(screen.getByRole('heading', { name: 'TLS 证书' }).closest('li')?.textContent).toContain('本服务没有启用 TLS');
  expect((await rows('服务进程'))[0]).toMatch(
    /a:8080本页由它应答.*运行中.*200 MB12.5%.*判断灯的状态、接收读数（第 2 路）/,
  );
  expect((await rows('后台作业'))[0]).toMatch(/^封存日志成功/);
  expect(await rows('数据库里的数据')).toEqual(['读数3 GB75%', '其他1 GB25%']);
  expect(screen.getByText('没有拒绝过消息或连接。')).toBeTruthy();
});

test('what is wrong stands first, in words with its values, and what to do', async () => {
  server.answer(getSystemHealth, {
    ...well,
    state: 'failing',
    subjects: well.subjects.map((one): Health['subjects'][number] =>
      one.subject === 'broker'
        ? {
            ...one,
            state: 'failing',
            findings: [{ code: 'brokerDown', state: 'failing', values: { name: 'a:8080', reason: 'ECONNREFUSED' } }],
          }
        : one.subject === 'jobs'
          ? {
              ...one,
              state: 'degraded',
              findings: [
                { code: 'jobLate', state: 'degraded', values: { job: 'seals', name: 'a:8080', seconds: 300 } },
              ],
            }
          : one,
    ),
    refused: [
      {
        where: 'ingestion',
        reason: 'noClock',
        count: 412,
        lastMinute: 40,
        example: { at, topic: 'lampyris/v1/devices/9/readings', detail: '1970' },
      },
      { where: 'broker', reason: 'somethingNew', count: 1, lastMinute: 0, example: null },
    ],
    jobs: [job, { ...job, name: 'history', error: 'no room', failures: 3 }],
    processes: [
      ...well.processes,
      {
        ...(well.processes[0] as Health['processes'][number]),
        id: 'b',
        name: 'b:8080',
        own: false,
        lost: true,
        leases: [],
      },
    ],
    changes: [{ at, subject: 'broker', state: 'failing' }],
    samples: [
      { at, readings: 118, commitMs: 12, databaseMs: 1, queued: 0, cpuPercent: 12, readers: 2, connections: null },
    ],
  });
  await open();
  expect(await screen.findByText('1 项故障，1 项需要留意')).toBeTruthy();
  const headings = screen.getAllByRole('heading', { level: 3 }).map((one) => one.textContent);
  expect(headings.slice(0, 2)).toEqual(['设备接入（MQTT）', '后台作业']);
  expect(screen.getByText('a:8080 用不了消息服务：ECONNREFUSED')).toBeTruthy();
  expect(screen.getByText('「封存日志」晚了 5分钟')).toBeTruthy();
  expect(await rows('被拒绝的')).toEqual([
    expect.stringMatching(/^时钟不可信消息40412lampyris.*1970/),
    expect.stringMatching(/^somethingNew连接01/),
  ]);
  expect((await rows('后台作业'))[0]).toMatch(/^汇总历史失败no room/);
  expect((await rows('服务进程'))[1]).toContain('失去联系');
  expect(screen.getByRole('img', { name: '每分钟读数，最近一小时：现在 118，最高 118' })).toBeTruthy();
});

test('a server that cannot tell: what happened, what to look at, and again', async () => {
  server.refuse(getSystemHealth, 500, { code: 1901, title: '失败', message: '失败' });
  await open();
  expect(await screen.findByText('没有取到系统健康')).toBeTruthy();
  expect(screen.getByText(/\/readyz/)).toBeTruthy();
  server.answer(getSystemHealth, well);
  await press('重试');
  await waitFor(() => expect(screen.getByText('一切正常')).toBeTruthy());
});

test('every finding says what is wrong and what to do in every language', async () => {
  for (const language of ['zh-CN', 'zh-TW', 'en-US', 'fr-FR', 'ja-JP', 'ko-KR']) {
    const texts = ((await import(`./texts/${language}.json`)) as { default: Record<string, string> }).default;
    for (const code of healthFindings)
      expect(
        [texts[`finding.${code}`], texts[`todo.${code}`]].every((text) => (text ?? '').length > 4),
        `${language} ${code}`,
      ).toBe(true);
  }
});

test('amounts in the unit that says most', () => {
  expect([
    duration(5.25, 'en-US'),
    duration(90, 'en-US'),
    duration(600, 'en-US'),
    duration(7200, 'en-US'),
    duration(400_000, 'en-US'),
  ]).toEqual(['5.3 sec', '90 sec', '10 min', '2 hr', '5 days']);
  expect([milliseconds(0.4, 'en-US'), milliseconds(250, 'en-US'), milliseconds(2500, 'en-US')]).toEqual([
    '0.4 ms',
    '250 ms',
    '2.5 sec',
  ]);
});

test('devices that a finding names lead to their pages; how many more there are is told', async () => {
  server.answer(getSystemHealth, {
    ...well,
    state: 'degraded',
    subjects: well.subjects.map((one): Health['subjects'][number] =>
      one.subject === 'ingestion'
        ? {
            ...one,
            state: 'degraded',
            findings: [
              {
                code: 'clocksWrong',
                state: 'degraded',
                values: { count: 1202 },
                devices: [
                  { id: 7, family: 'gateway', name: 'GW-7 河东' },
                  { id: 9, family: 'lamp-pole', name: 'P-9' },
                ],
              },
            ],
          }
        : one,
    ),
  });
  // The account has the page of devices, none of poles.
  const { address } = await renderInShell(<SystemHealth />, {
    address: '/system/health',
    codes: ['system.health'],
    pages: ['device'],
  });
  const link = await screen.findByRole('button', { name: 'GW-7 河东' });
  expect(link.parentElement?.textContent).toBe('1,202 台设备的时钟差一分钟以上：GW-7 河东、P-9，还有 1,200 台');
  expect(screen.queryByRole('button', { name: 'P-9' })).toBeNull();
  await press('GW-7 河东');
  await waitFor(() => expect(address()).toBe('/device'));
});
