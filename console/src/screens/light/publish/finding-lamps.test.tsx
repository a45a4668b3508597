import { configure, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { getCommandSettings, policyDefaults } from '../../../../../contract/light/command-settings.ts';
import { getLampFilters } from '../../../../../contract/light/lamps.ts';
import {
  createPublication,
  previewPublication,
  publicationBounds,
} from '../../../../../contract/light/publications.ts';
import { listSchemes, listSchemeVersions } from '../../../../../contract/light/schemes.ts';
import { listTemplates } from '../../../../../contract/light/templates.ts';
import { getWorkAreaOptions } from '../../../../../contract/specified/account.ts';
import { serverForEach } from '../../../testing/contract-server.ts';
import { bodyOf, press, renderInShell } from '../../../testing/shell.tsx';
import Publish from './index.tsx';
import type { Preview } from './use-publish-form.ts';

configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });
const server = serverForEach();
const at = '2026-11-25T12:00:00.000Z';
const shown = ({ findings }: Pick<Preview, 'findings'>): Preview => ({
  scheme: { id: 5, code: 'JN-03', name: '主干路', number: 2, hash: '0123456789ab' },
  template: null,
  effectiveFrom: '2026-11-25',
  lightingDay: '2026-11-25',
  lamps: 240,
  changed: 200,
  cannot: [{ reason: 'disabled', count: 4 }],
  darkens: 0,
  needsSecond: false,
  kwh: { before: 812, after: 655.2 },
  findings,
});
const open = () =>
  renderInShell(<Publish />, {
    address: '/lamp/publish?scheme=5',
    codes: ['plan.query', 'plan.publish', 'lamp.monitor', 'device.query'],
    pages: ['lamp/publication'],
    handOver: { deviceIds: [7, 9] },
    live: server(),
  });

beforeEach(() => {
  const scheme = {
    ...{ id: 5, code: 'JN-03', name: '主干路', workAreaId: null, workAreaName: null, version: 3, draft: null },
    ...{ editable: true, deletable: false, createdAt: at, updatedAt: at, outlook: null },
    newest: { number: 2, hash: '0123456789ab', at, by: 'admin' },
    lamps: { following: 0, unreported: 0, diverged: 0, byVersion: [] },
    state: 'frozen' as const,
    mode: 'energySaving' as const,
  };
  server().answer(listSchemes, { data: [scheme], recordsTotal: 1 });
  server().answer(listSchemeVersions, { data: [], recordsTotal: 0 });
  server().answer(listTemplates, { data: [], recordsTotal: 0 });
  server().answer(getLampFilters, { roads: [], groups: [], controllers: [] });
  server().answer(getWorkAreaOptions, { success: true, msg: '', data: [] });
  server().answer(getCommandSettings, {
    version: 1,
    policy: policyDefaults,
    limits: { acknowledgeSeconds: 30, repeatSeconds: 5, confirmSeconds: 120, queueSeconds: 120, gatewayPerSecond: 100 },
  });
  server().answer(createPublication, { id: 12, total: 240, phase: 'tellingCanary' });
});

test('findings name their lamps, all of them by one press; a note stands in nobody’s way', async () => {
  const lamps = { count: 7, first: [1, 2, 3, 4, 5, 6, 7].map((id) => ({ id, code: `BJ-000${id}` })) };
  const unused = {
    code: 'periodUnused',
    severity: 'note',
    params: { programme: '平日', period: 1, nights: 40, first: '2026-06-01' },
    lamps,
  } as const;
  server().answer(previewPublication, shown({ findings: [unused] }));
  await open();
  await screen.findByText(/部分夜晚未到达的时段 · 平日 · 时段 2 · 一年 40 夜 · 首次 6月1日/);
  expect(screen.getByText(/BJ-0005/)).toBeTruthy();
  expect(screen.queryByText(/BJ-0006/)).toBeNull();
  await press('全部 7 盏');
  await screen.findByText(/BJ-0007/);
  expect(bodyOf(server(), previewPublication)).toEqual({
    schemeId: 5,
    scope: { deviceIds: [7, 9] },
    lampsOf: 'periodUnused',
  });
  await press('发布到 236 盏');
  await waitFor(() => expect(bodyOf(server(), createPublication)).toMatchObject({ acceptedFindings: [] }));
});

test('lamps that became more meanwhile are shown as they are now', async () => {
  const named = (count: number) => ({
    count,
    first: Array.from({ length: Math.min(count, 300) }, (_none, id) => ({ id: id + 1, code: `BJ-${1000 + id}` })),
  });
  const darkens = (count: number) => ({
    code: 'darker' as const,
    severity: 'warning' as const,
    params: { lamps: count },
    lamps: named(count),
  });
  server().on(previewPublication, ({ body }) => ({
    status: 200,
    body: shown({ findings: [darkens(body.includes('lampsOf') ? 240 : 7)] }),
  }));
  await open();
  await press('全部 7 盏');
  await screen.findByText(/BJ-1199/);
  // Each lamp is a stop of the keyboard: the others are a number.
  expect(screen.queryByText(/BJ-1200/)).toBeNull();
  expect(screen.getByText(/另有 40 盏/)).toBeTruthy();
  await press('收起');
  expect(screen.queryByText(/BJ-1005/)).toBeNull();
});

test('darker lamps are said with the nights that are compared', async () => {
  const darker = { code: 'darker', severity: 'warning', params: { lamps: 7 } } as const;
  server().answer(previewPublication, shown({ findings: [darker] }));
  await open();
  const { nights, days } = publicationBounds.compared;
  await screen.findByText(new RegExp(`前 ${nights} 夜.*${days} 天内`));
});
