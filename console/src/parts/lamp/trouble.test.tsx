import { cleanup, configure, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { getCommandSettings, limitBounds, policyDefaults } from '../../../../contract/light/command-settings.ts';
import { whyLamp } from '../../../../contract/light/why.ts';
import { getPreferences } from '../../../../contract/people/me.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { contractServer, type ContractServer } from '../../testing/contract-server.ts';
import { press, renderInShell } from '../../testing/shell.tsx';
import type { CommandBody } from '../commands/commands.ts';
import type { Lamp } from './lamp.ts';
import { Trouble } from './Trouble.tsx';

configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });
let server: ContractServer;

const lamp: Lamp = {
  id: 7,
  code: 'BJ-0007',
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
  state: 'alarm',
  fault: 'L101',
  faultSince: new Date(Date.now() - 98 * 60_000).toISOString(),
  online: true,
  level: 100,
  power: 0,
  voltage: 241.2,
  current: 0,
  powerFactor: null,
  temperature: null,
  energyTonight: null,
  at: new Date(Date.now() - 60_000).toISOString(),
  manual: null,
};
const why: ReplyOf<typeof whyLamp> = {
  at: '2026-11-20T13:00:00.000Z',
  timeZone: 'Asia/Shanghai',
  lamp: 'BJ-0007',
  observed: {
    level: 100,
    power: 0,
    relay: true,
    reason: null,
    planHash: null,
    readingAt: '2026-11-20T12:59:00.000Z',
    ageSeconds: 60,
  },
  expected: { level: 100, layer: 'scheme' },
  layers: [],
  agrees: false,
  suspicions: [
    { code: 'localControl', weight: 'likely', evidence: { device: 'PDX-01' } },
    { code: 'fault', weight: 'certain', evidence: { codes: 'L101' } },
  ],
  next: null,
  lastCommands: [],
  supply: { loop: null, box: null, powered: null, by: null, contactor: null, contactorAt: null },
  floor: null,
  missing: [],
  sentence: '',
};
const seconds = Object.fromEntries(Object.entries(limitBounds).map(([name, { fallback }]) => [name, fallback]));

beforeEach(async () => {
  server = await contractServer();
  server.answer(getPreferences, {});
  server.answer(whyLamp, why);
  server.answer(getCommandSettings, {
    version: 1,
    policy: policyDefaults,
    limits: { ...(seconds as ReplyOf<typeof getCommandSettings>['limits']), queueSeconds: 90 },
  });
});
afterEach(async () => {
  cleanup();
  await server.close();
});

async function open(of: Lamp, canControl = true): Promise<CommandBody[]> {
  const sent: CommandBody[] = [];
  const onSend = (body: CommandBody) => Promise.resolve(void sent.push(body));
  await renderInShell(<Trouble lamp={of} canControl={canControl} pending={false} onSend={onSend} />, {
    address: '/x',
    codes: [],
  });
  return sent;
}

test('a faulty lamp: since when, what was expected and measured, the likely cause, and what can be tried', async () => {
  const sent = await open(lamp);
  expect(await screen.findByText('应 100%，实测 0 W')).toBeTruthy();
  expect(screen.getByText('灯具故障')).toBeTruthy();
  expect(screen.getByText(/起，1\s?小时 38\s?分钟/)).toBeTruthy();
  expect(screen.getByText('可能原因：现场转换开关不在自动位')).toBeTruthy();
  expect(screen.getByText(/^到场检查灯具和驱动电源/)).toBeTruthy();
  await press('立即读取');
  await press('重试开灯');
  await waitFor(() =>
    expect(sent).toEqual([
      { deviceIds: [7], command: 'read' },
      { deviceIds: [7], command: 'on' },
    ]),
  );
});

test('a voltage is told against its bounds, and nothing is offered without the right to command', async () => {
  await open({ ...lamp, fault: 'L105' }, false);
  expect(await screen.findByText('实测 241.2 V，正常 198–235.4 V')).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
});

test('a lamp out of reach: what becomes of a command, by the limit of the site', async () => {
  await open({ ...lamp, state: 'offline', fault: 'N301', online: false });
  expect(await screen.findByText('命令会排队，90 s 内仍未送达即作废。')).toBeTruthy();
});

test('a lamp in order has no such block', async () => {
  await open({ ...lamp, state: 'on', fault: null, faultSince: null });
  expect(screen.queryByRole('region', { name: '异常' })).toBeNull();
  expect(server.of(whyLamp)).toEqual([]);
});
