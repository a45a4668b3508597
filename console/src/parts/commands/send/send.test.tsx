import { cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { getCommandSettings, policyDefaults } from '../../../../../contract/light/command-settings.ts';
import { createCommand } from '../../../../../contract/light/commands.ts';
import { countLamps, getLampFilters } from '../../../../../contract/light/lamps.ts';
import { contractServer, type ContractServer } from '../../../testing/contract-server.ts';
import { chooseOption, press, renderInShell } from '../../../testing/shell.tsx';
import type { Ask, CommandBody } from '../commands.ts';
import { dropHeld, heldCommands } from '../hold.ts';
import { CommandDialog } from './CommandDialog.tsx';
import { canarySize, conditionsBody, needsOf, noConditions, usualCanary } from './send-rules.ts';
import type { Target } from './use-send-form.ts';

configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });

const policy = { ...policyDefaults, reasonAbove: 50, approvalAbove: 200, dimBelow: 30 };

describe('what the site wants', () => {
  test.each<[string, Ask, number, boolean, { reason: boolean; approval: boolean }]>([
    ['few lamps go as they are', { command: 'off' }, 50, false, { reason: false, approval: false }],
    ['more need a reason', { command: 'off' }, 51, false, { reason: true, approval: false }],
    ['many a second person too', { command: 'off' }, 201, false, { reason: true, approval: true }],
    ['a low level darkens', { command: 'dim', level: 29 }, 201, false, { reason: true, approval: true }],
    ['the level itself does not', { command: 'dim', level: 30 }, 201, false, { reason: false, approval: false }],
    ['light is given freely', { command: 'on' }, 5000, false, { reason: false, approval: false }],
    ['an emergency says why', { command: 'on' }, 1, true, { reason: true, approval: false }],
  ])('%s', (_name, ask, lamps, emergency, wanted) => expect(needsOf(policy, ask, lamps, emergency)).toEqual(wanted));

  test('nothing is said beforehand while the rules are not known', () =>
    expect(needsOf(undefined, { command: 'off' }, 9999, false)).toEqual({ reason: false, approval: false }));
});

describe('conditions', () => {
  test('a canary is at least one lamp and never all', () => {
    expect([
      canarySize(usualCanary, 10),
      canarySize(usualCanary, 1000),
      canarySize({ by: 'count', amount: 20 }, 5),
      canarySize({ by: 'share', amount: 50 }, 90_000),
    ]).toEqual([1, 50, 4, 1000]);
  });

  test('only what was set goes into the body', () => {
    expect(conditionsBody(noConditions, 100, 0)).toEqual({});
    expect(
      conditionsBody(
        {
          expiry: 300,
          canary: { by: 'count', amount: 20, minSuccessPercent: 90, waitSeconds: 60 },
          stopAt: { failurePercent: 5, afterAtLeast: 100 },
        },
        100,
        0,
      ),
    ).toEqual({
      expiresAt: '1970-01-01T00:05:00.000Z',
      canary: { count: 20, minSuccessPercent: 90, waitSeconds: 60 },
      stopAt: { failurePercent: 5, afterAtLeast: 100 },
    });
    expect(conditionsBody({ ...noConditions, canary: usualCanary }, 1, 0)).toEqual({});
  });
});

describe('the dialog', () => {
  let server: ContractServer;
  const sent: CommandBody[] = [];
  beforeEach(async () => {
    sent.length = 0;
    server = await contractServer();
    server.answer(getCommandSettings, {
      version: 1,
      policy,
      limits: {
        acknowledgeSeconds: 30,
        repeatSeconds: 5,
        confirmSeconds: 120,
        queueSeconds: 120,
        gatewayPerSecond: 100,
      },
    });
    server.answer(getLampFilters, { roads: [{ id: 1, name: '滨江大道', lamps: 240 }], groups: [], controllers: [] });
    server.answer(countLamps, {
      at: '2026-11-20T13:46:31.000Z',
      total: 240,
      online: 228,
      states: { on: 228, offline: 9, maintenance: 3 },
      faults: {},
    });
  });
  afterEach(async () => {
    cleanup();
    await server.close();
  });
  const open = async (target: Target, action: Ask['command'] | null, codes: readonly string[] = ['lamp.control']) => {
    await renderInShell(
      <CommandDialog
        target={target}
        action={action}
        pending={false}
        onSend={(body) => {
          sent.push(body);
          return Promise.resolve();
        }}
        onClose={() => undefined}
      />,
      { codes },
    );
    return within(await screen.findByRole('dialog'));
  };
  const lamps = (count: number): Target => ({
    kind: 'lamps',
    ids: Array.from({ length: count }, (_, index) => index + 1),
    standing: { total: count, offline: 6, disabled: 1 },
  });

  test('says who will not answer, that a reason is needed, and that somebody else has to agree', async () => {
    const dialog = await open(lamps(300), 'off');
    expect(dialog.getByText('6 盏离线或还没有上报，不会应答，到时记为超时。 1 盏已停用，不会下发。')).toBeTruthy();
    await dialog.findByText('须由另一人审批，或输入灯的数量');
    await press('提交（300 盏）');
    await dialog.findByText('请写明原因');
    expect(sent).toEqual([]);
    fireEvent.change(dialog.getByRole('textbox', { name: /^原因/ }), { target: { value: '供电局检修' } });
    await press('提交（300 盏）');
    await waitFor(() => expect(sent).toMatchObject([{ command: 'off', reason: '供电局检修' }]));
  });

  test('more than two thousand lamps are not tried beforehand, also where somebody else has to agree', async () => {
    const dialog = await open(lamps(2001), 'off');
    await dialog.findByText('须由另一人审批，或输入灯的数量');
    fireEvent.change(dialog.getByRole('textbox', { name: /^原因/ }), { target: { value: '供电局检修' } });
    await press('提交（2,001 盏）');
    await waitFor(() => expect(heldCommands.getState()).toHaveLength(1));
    expect(server.triesOf(createCommand)).toEqual([]);
    dropHeld();
  });

  test('knows how many of a road will not answer before anything is sent', async () => {
    const dialog = await open({ kind: 'scope' }, null);
    await chooseOption(dialog.getByRole('combobox', { name: '请选择' }), '滨江大道');
    await dialog.findByText('9 盏离线或还没有上报，不会应答，到时记为超时。 3 盏已停用，不会下发。');
    await press('下发给 240 盏');
    await waitFor(() => expect(sent).toMatchObject([{ scope: { roadId: 1 }, command: 'dim', args: { level: 60 } }]));
  });

  test('offers the emergency lane only to who holds it and only to give light; it asks why', async () => {
    const dialog = await open(lamps(10), null, ['lamp.control', 'lamp.emergency']);
    expect(dialog.queryByRole('switch', { name: '应急下发' })).toBeNull();
    fireEvent.click(dialog.getByText('开灯'));
    fireEvent.click(await dialog.findByRole('switch', { name: '应急下发' }));
    await press('应急下发给 10 盏');
    await dialog.findByText('请写明原因');
    fireEvent.change(dialog.getByRole('textbox', { name: /^原因/ }), { target: { value: '交通事故' } });
    await press('应急下发给 10 盏');
    await waitFor(() => expect(sent).toMatchObject([{ command: 'on', lane: 'emergency', reason: '交通事故' }]));
  });

  test('is tried once however long a reason is typed: its words are no part of the trial', async () => {
    server.wouldChange(createCommand, { commandTargets: { added: 93, changed: 0, removed: 0 } });
    const dialog = await open(lamps(100), 'off');
    const box = await dialog.findByRole('textbox', { name: /^原因/ });
    fireEvent.change(box, { target: { value: '供电' } });
    await dialog.findByText(/93 盏/);
    await waitFor(() => expect(server.triesOf(createCommand).at(-1)?.body).toContain('"reason"'));
    fireEvent.change(box, { target: { value: '供电局检修' } });
    await press('下发给 100 盏');
    await waitFor(() => expect(sent).toMatchObject([{ command: 'off', reason: '供电局检修' }]));
    // Before the rules of the site are known it is tried without a reason.
    const reasons = server.triesOf(createCommand).map(({ body }) => (JSON.parse(body) as CommandBody).reason);
    expect(reasons.filter((reason) => reason !== undefined)).toEqual(['-']);
  });

  test('has no emergency lane without its right', async () => {
    const dialog = await open(lamps(10), 'on');
    expect(dialog.queryByText('应急下发')).toBeNull();
  });

  test('sends a part first and stops on failures when that was set', async () => {
    const dialog = await open(lamps(300), 'on');
    await press('试发、停止条件、有效期');
    fireEvent.click(dialog.getByRole('switch', { name: '先试发一部分' }));
    await dialog.findByText(/^先发 15 盏；通过后再发其余 285 盏/);
    fireEvent.click(dialog.getByRole('switch', { name: '失败过多时停止' }));
    await press('下发给 300 盏');
    await waitFor(() =>
      expect(sent).toMatchObject([
        {
          canary: { share: 5, minSuccessPercent: 95, waitSeconds: 120 },
          stopAt: { failurePercent: 10, afterAtLeast: 50 },
        },
      ]),
    );
  });
});
