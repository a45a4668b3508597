import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { getLamp } from '../../../../../contract/light/lamps.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { serverForEach } from '../../../testing/contract-server.ts';
import { renderInShell } from '../../../testing/shell.tsx';
import { LampDrawer } from './LampDrawer.tsx';

const server = serverForEach();
afterEach(cleanup);

const lit: ReplyOf<typeof getLamp> = {
  lamp: {
    id: 1,
    code: 'BJ-0001',
    name: null,
    workAreaId: 1,
    roadId: 1,
    roadName: '滨江大道',
    groupId: null,
    controllerId: null,
    controllerCode: null,
    poleId: null,
    poleCode: null,
    location: null,
    longitude: 120.2,
    latitude: 30.2,
    ratedWatts: 120,
    enabled: true,
    state: 'dimmed',
    fault: null,
    faultSince: null,
    online: true,
    level: 60,
    power: 70,
    voltage: 230,
    current: 0.3,
    powerFactor: 0.98,
    temperature: 30,
    energyTonight: 0.4,
    at: '2026-11-20T13:46:31.000Z',
    manual: null,
  },
  values: { power: 70 },
  plan: { switches: [], shouldBeLit: true, night: null, ratedWatts: 120 },
  connected: true,
  connectionChangedAt: null,
  clockAheadSeconds: null,
  clockWrongSince: null,
  episodes: [],
  row: null,
};

test('a lamp that fails while its drawer is open leaves the slider in the operator’s hand', async () => {
  let now = lit;
  server().answer(getLamp, () => now);
  await renderInShell(
    <LampDrawer id={1} canControl pending={false} onSend={() => Promise.resolve()} onClose={() => undefined} />,
    { codes: ['lamp.monitor', 'lamp.control'], live: server() },
  );
  const drawer = within(await screen.findByRole('complementary', { name: 'BJ-0001' }));
  const slider = await drawer.findByRole('slider');
  slider.focus();
  now = { ...lit, lamp: { ...lit.lamp, state: 'alarm', fault: 'L101', level: 61 } };
  // Told again until it is heard: the line may open late.
  await waitFor(() => {
    server().tell({ type: 'stale', topic: 'device:1' });
    expect(drawer.getAllByText(/61%/)).not.toEqual([]);
  });
  expect(document.activeElement).toBe(slider);
});
