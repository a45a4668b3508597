import { act, screen } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { getHome, getHomeChanges } from '../../../../../contract/light/home.ts';
import { serverForEach, type ContractServer } from '../../../testing/contract-server.ts';
import { renderInShell } from '../../../testing/shell.tsx';
import HomePage from './index.tsx';

const server = serverForEach();

test('ten messages ask for the figures at once and again twenty seconds later; what was missed is asked for at once', async () => {
  const share = { numerator: 0, denominator: 0, value: null };
  const at = '2026-11-20T13:00:00.000Z';
  const none = { data: [], lines: 0, devices: 0 };
  server().answer(getHomeChanges, { since: at, open: none, ended: none });
  const figures = {
    at,
    newestReadingAt: null,
    stale: false,
    staleSince: null,
    lamps: 0,
    litRate: { counted: false, countedFrom: null, strict: share, knownOnly: share, unknown: 0 },
    online: { lamps: share, controllers: share },
    faults: { total: 0, severe: 0, medium: 0, minor: 0, byCode: {} },
    energy: { kWh: null, since: null, covered: 0, powerKw: null },
    night: {
      from: at,
      to: at,
      sunset: null,
      sunrise: null,
      onAt: null,
      offAt: null,
      timeZone: 'Asia/Shanghai',
      longitude: null,
      latitude: null,
      sunOffsetMinutes: 0,
    },
  };
  server().answer(getHome, figures);
  const { live } = await renderInShell(<HomePage />, { address: '/home', live: server() });
  await screen.findByText('还没有路灯', { exact: false });
  let heard = 0;
  onTestFinished(
    live!.subscribe('home', () => {
      heard += 1;
    }),
  );
  const asked = () => server().of(getHome).length;
  const before = asked();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const turn = () =>
    new Promise((resolve) => {
      setImmediate(resolve);
    });
  const tell = async (message: Parameters<ContractServer['tell']>[0], times: number): Promise<void> => {
    const due = heard + times;
    for (let time = 0; time < times; time += 1) server().tell(message);
    await act(async () => {
      while (heard < due) await turn();
    });
  };
  /** So often it had asked when this had passed and the server had everything. */
  const after = async (ms: number): Promise<number> => {
    await act(async () => {
      vi.advanceTimersByTime(ms);
      await fetch('/api/v1/nothing');
    });
    return asked() - before;
  };
  await tell({ type: 'home' }, 10);
  expect([await after(0), await after(19_999), await after(1), await after(40_000)]).toEqual([1, 1, 2, 2]);
  await tell({ type: 'home' }, 1);
  await tell({ type: 'stale', topic: 'home' }, 1);
  expect([await after(0), await after(40_000)]).toEqual([4, 4]);
  // The lines: a minute after their last answer, and at once when the figures show another standing.
  const lines = () => server().of(getHomeChanges).length;
  let told = lines();
  await vi.waitUntil(async () => {
    await after(10_000);
    return lines() > told;
  });
  await after(41_000);
  told = lines();
  server().answer(getHome, { ...figures, faults: { ...figures.faults, total: 1, byCode: { L105: 1 } } });
  await tell({ type: 'home' }, 1);
  await vi.waitUntil(async () => {
    await after(0);
    return lines() > told;
  });
  expect(lines()).toBe(told + 1);
});
