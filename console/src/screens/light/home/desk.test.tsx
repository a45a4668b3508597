import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { getHomeMap } from '../../../../../contract/light/home.ts';
import { useCall } from '../../../api/index.ts';
import { namesFor } from '../../../locales/catalogue-names.ts';
import { shownZone } from '../../../parts/time/zone.ts';
import { serverForEach } from '../../../testing/contract-server.ts';
import { press, renderInShell } from '../../../testing/shell.tsx';
import type { Away, Home, HomeCurve, HomeLine } from './calls.ts';
import { CityNow } from './CityNow.tsx';
import { NightRibbon } from './NightRibbon.tsx';
import { SinceLeft } from './SinceLeft.tsx';
import { TonightNote } from './TonightNote.tsx';

afterEach(cleanup);
const server = serverForEach();

const share = { numerator: 0, denominator: 0, value: null };
const from = '2026-11-20T08:00:00.000Z';
const home: Home = {
  at: from,
  newestReadingAt: null,
  stale: false,
  staleSince: null,
  lamps: 10,
  litRate: { counted: false, countedFrom: null, strict: share, knownOnly: share, unknown: 0 },
  online: { lamps: share, controllers: share },
  faults: { total: 0, severe: 0, medium: 0, minor: 0, byCode: {} },
  energy: { kWh: null, since: null, covered: 0, powerKw: null },
  night: {
    from,
    to: '2026-11-20T09:00:00.000Z',
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
const curve: HomeCurve = {
  from,
  to: '2026-11-20T09:00:00.000Z',
  stepSeconds: 900,
  lamps: 10,
  lit: [0, 10, null, null, null],
  powerKw: [0, 1.2, null, null, null],
  planKw: [0, 1.25, 1.25, 0.6, 0],
  planLevel: [0, 100, 100, 50, 0],
  previousKw: [0, 1.1, 1.1, 0.55, 0],
  reporting: [10, 10, 0, 0, 0],
};

test('the arrow keys read the ribbon: each quarter of an hour with what is known, and nothing for what is not', async () => {
  shownZone.setState({ zone: 'Asia/Shanghai' });
  await renderInShell(<NightRibbon home={home} curve={curve} />);
  const ribbon = await screen.findByRole('slider');
  const read = (key: string) => {
    fireEvent.keyDown(ribbon, { key });
    return ribbon.getAttribute('aria-valuetext');
  };
  expect(read('Home')).toBe('16:00 · 亮灯 0.0% · 方案亮度 0.0% · 今夜功率 0.0 kW · 方案功率 0.0 kW · 昨夜功率 0.0 kW');
  expect(read('ArrowRight')).toBe(
    '16:15 · 亮灯 100.0% · 方案亮度 100.0% · 今夜功率 1.2 kW · 方案功率 1.3 kW · 昨夜功率 1.1 kW',
  );
  expect(read('PageUp')).toMatch(/^17:00 · 亮灯 — /);
  expect(read('ArrowRight')).toMatch(/^17:00/);
  expect(read('ArrowLeft')).toMatch(/^16:45 · 亮灯 — · 方案亮度 50.0% · 今夜功率 — · 方案功率 0.6 kW/);
  ribbon.focus();
  fireEvent.pointerLeave(ribbon);
  expect(ribbon.getAttribute('aria-valuetext')).not.toBeNull();
  expect(read('Escape')).toBeNull();
});

const line: HomeLine = {
  at: from,
  beganAt: from,
  endedAt: null,
  lastAt: from,
  seconds: null,
  times: 6,
  kind: 'fault',
  fault: 'L105',
  reason: null,
  level: 2,
  count: 6,
  open: 6,
  roads: 1,
  roadId: 7,
  roadName: '青年路',
  deviceId: null,
  code: null,
  family: 'single-lamp-controller',
};
const none = { data: [], lines: 0, devices: 0 };
const away: Away = {
  leftAt: '2026-11-20T07:30:00.000Z',
  backAt: '2026-11-20T15:00:00.000Z',
  from: '2026-11-20T07:30:00.000Z',
  began: { data: [line], lines: 3, devices: 9 },
  ended: none,
};

test('what changed while the account was away unfolds, and is put away until the next absence', async () => {
  shownZone.setState({ zone: 'Asia/Shanghai' });
  await namesFor('zh-CN');
  await renderInShell(<SinceLeft away={away} />, { codes: ['lamp.monitor'] });
  expect((await screen.findByText('您 15:30 离开后：', { exact: false })).textContent).toBe(
    '您 15:30 离开后： 新发生 9 台',
  );
  screen.getByText('青年路', { exact: false });
  screen.getByText('其余 2 项');
  expect(screen.queryByText('已恢复的')).toBeNull();
  const details = screen.getByText('青年路', { exact: false }).closest('details')!;
  const summary = details.querySelector('summary')!;
  const unfold = async () => {
    fireEvent.click(summary);
    await waitFor(() => expect(details.open).toBe(true));
  };
  await unfold();
  fireEvent.keyDown(details, { key: 'Escape' });
  expect([details.open, document.activeElement]).toEqual([false, summary]);
  await unfold();
  fireEvent.pointerDown(details);
  expect(details.open).toBe(true);
  fireEvent.pointerDown(document.body);
  expect(details.open).toBe(false);
  await press('收起');
  expect(screen.queryByText(/离开后/)).toBeNull();
  cleanup();
  await renderInShell(<SinceLeft away={away} />);
  expect(screen.queryByText(/离开后/)).toBeNull();
  cleanup();
  await renderInShell(<SinceLeft away={{ ...away, backAt: '2026-11-21T15:00:00.000Z' }} />);
  await screen.findByText(/离开后/);
});

test('nothing is said where nothing changed', async () => {
  await renderInShell(<SinceLeft away={{ ...away, backAt: '2026-11-22T15:00:00.000Z', began: none }} />);
  expect(screen.queryByText(/离开后/)).toBeNull();
});

test('tonight says first what waits for somebody, and leads to each', async () => {
  const scheme = { schemeId: 4, code: 'A1', name: '主干道', number: 3, mode: null, lamps: 90 };
  const { address } = await renderInShell(
    <div data-testid="note">
      <TonightNote
        tonight={{
          day: '2026-11-20',
          schemes: [scheme],
          moreSchemes: { schemes: 2, lamps: 10 },
          own: 0,
          exceptions: { inForce: 1, planned: 0, lamps: 3 },
          publications: { underWay: 0, halted: 0, waiting: 2, lamps: 0 },
          notOnPlan: { lamps: 0, publications: [] },
          rehearsal: null,
          lastNight: null,
        }}
      />
    </div>,
    { pages: ['lamp/publications', 'lamp/scheme', 'lamp/schemes', 'lamp/exceptions'] },
  );
  const facts = [...(await screen.findByTestId('note')).children];
  expect(facts.map(({ textContent }) => textContent)).toEqual([
    '待审批 2',
    'A1 主干道 第 3 版 90 盏',
    '其余 2 个方案',
    '临时例外 生效中 1',
  ]);
  // What may be cut short is whole in its title.
  expect(facts.slice(1).map((fact) => fact.getAttribute('title'))).toEqual(
    facts.slice(1).map(({ textContent }) => textContent),
  );
  fireEvent.click(screen.getByRole('button', { name: '待审批 2' }));
  await waitFor(() => expect(address()).toBe('/lamp/publications?state=awaitingApproval'));
});

test('the worst places lead to their lamps', async () => {
  const place = { lamps: 20, affected: 6, fault: 'L105', count: 6, since: null, x: 500, y: 500 };
  server().answer(getHomeMap, {
    at: from,
    bounds: null,
    unplaced: 0,
    cells: { x: [], y: [], lamps: [], light: [], alarm: [], offline: [] },
    places: [
      { ...place, kind: 'road', id: 7, name: '青年路' },
      { ...place, kind: 'controller', id: 9, name: 'K-9' },
      { ...place, kind: 'road', id: null, name: null },
    ],
  });
  const Page = () => <CityNow home={home} map={useCall(getHomeMap)} />;
  const { address } = await renderInShell(<Page />, { codes: ['lamp.monitor'], pages: ['lamp/monitor'] });
  for (const [name, search] of [
    ['青年路', 'roads=7'],
    ['集控 K-9', 'controller=9'],
    ['没有道路的灯', 'view=list'],
  ] as const) {
    fireEvent.click(await screen.findByRole('button', { name }));
    await waitFor(() => expect(decodeURIComponent(address())).toBe(`/lamp/monitor?states=alarm,offline&${search}`));
  }
});
