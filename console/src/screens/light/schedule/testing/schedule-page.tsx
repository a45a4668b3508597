import { fireEvent, screen } from '@testing-library/react';
import { beforeEach, vi } from 'vitest';
import { usualSchedule } from '../../../../../../catalogue/lighting/plan/schedule.ts';
import { getHome } from '../../../../../../contract/light/home.ts';
import { getLampPlan } from '../../../../../../contract/light/lamp-plan.ts';
import { getLampFilters } from '../../../../../../contract/light/lamps.ts';
import { getLampSchedule, type previewSchedule } from '../../../../../../contract/light/schedules.ts';
import type { ReplyOf } from '../../../../../../contract/route.ts';
import { serverForEach } from '../../../../testing/contract-server.ts';
import { renderInShell } from '../../../../testing/shell.tsx';
import ScheduleSettings from '../index.tsx';

type Lamp = ReplyOf<typeof getLampSchedule>;
export const place = { latitude: 30.25, longitude: 120.2 };
export const at = '2026-11-20T13:46:31.000Z';
export const night = [
  { at: '2026-11-20T08:58:00.000Z', level: 100 },
  { at: '2026-11-20T15:00:00.000Z', level: 60 },
  { at: '2026-11-20T22:31:00.000Z', level: 0 },
];
export const lamp = (more: Partial<Lamp> = {}): Lamp => ({
  id: 7,
  code: 'BJ-0007',
  name: null,
  day: '2026-11-20',
  schedule: {
    ...usualSchedule,
    ranges: [
      { start: 'on', level: 100, alternate: false },
      { start: '23:00', level: 60, alternate: false },
    ],
  },
  exact: true,
  own: { by: '周敏', at, publicationId: 12, lamps: 2 },
  scheme: { id: 3, code: 'JN-03', name: '主干路', number: 7 },
  publicationId: null,
  place: {
    used: place,
    source: 'lamp',
    away: null,
    lamp: place,
    pole: null,
    area: place,
    timeZone: 'Asia/Shanghai',
    sunOffsetMinutes: 0,
  },
  role: { position: null, rowLength: 0, right: false, keep: false, minLevel: 0, rotation: 'weekly' },
  told: { planHash: '111111111111', night, at },
  device: { planHash: '111111111111', night, at, knowsPlans: true },
  equal: true,
  ...more,
});
export type LampPlan = ReplyOf<typeof getLampPlan>;
const stretch = { period: 0, pattern: 'all', darkByPattern: false } as const;
const layer: LampPlan['lit'][number]['decides'] = {
  ...{ layer: 'scheme', applies: true, decides: true, op: 'set', value: 100, level: 100 },
  ref: { type: 'scheme', id: 3, label: 'JN-03 主干路', version: 7 },
  ...{ by: '周敏', approvedBy: null, since: null, until: null, reason: null },
};
/** Its night by the plan. */
export const planNight = (more: Partial<LampPlan> = {}): LampPlan => ({
  ...{ id: 7, lamp: 'BJ-0007', name: null, timeZone: 'Asia/Shanghai', day: '2026-11-20', current: '2026-11-20' },
  ...{ from: '2026-11-20T04:00:00.000Z', to: '2026-11-21T04:00:00.000Z' },
  place: { ...place, sunOffsetMinutes: 0 },
  scheme: { id: 3, code: 'JN-03', name: '主干路', number: 7, own: false, versionHash: '222222222222' },
  template: null,
  programme: { key: 1, name: '平日' },
  ...{ followedFrom: '2026-11-01', by: '周敏', approvedBy: null, layers: ['scheme'] },
  ...{ on: night[0]?.at ?? null, off: night[2]?.at ?? null },
  lit: [{ ...stretch, from: night[0]?.at ?? '', to: night[2]?.at ?? '', level: 100, decides: layer }],
  ...{ dark: [], warnings: [], exceptionsLeftOut: [], planHash: '111111111111' },
  device: {
    ...{ planHash: '111111111111', reportedAt: at, abilities: null, needs: null },
    ...{ cannot: [], periodsBeyond: 0, sent: 'plan' },
  },
  publication: null,
  ...more,
});
export const preview: ReplyOf<typeof previewSchedule> = {
  scheme: null,
  template: null,
  effectiveFrom: '2026-11-20',
  lightingDay: '2026-11-20',
  lamps: 1,
  changed: 1,
  cannot: [],
  darkens: 1,
  needsSecond: false,
  kwh: { before: 1, after: 0.8 },
  findings: [{ code: 'darker', severity: 'warning', params: { lamps: 1 } }],
};

const codes: readonly string[] = ['plan.publish', 'plan.query', 'lamp.control', 'lamp.monitor', 'device.edit'];
/** A field by the beginning of its label: one that is required has a mark behind it. */
export const field = (name: string): HTMLInputElement =>
  screen.getByLabelText<HTMLInputElement>((text) => text.startsWith(name));
export const type = (name: string, value: string): void => {
  fireEvent.change(field(name), { target: { value } });
  fireEvent.blur(field(name));
};

/** The page of schedule settings, and what the server answers to it. Call it at the top of a test file. */
export function schedulePage() {
  const server = serverForEach();
  vi.setConfig({ testTimeout: 60_000 });
  beforeEach(() => {
    server().answer(getLampSchedule, ({ path }) => {
      const id = Number(/\d+/.exec(path.replace('/v1', ''))?.[0]);
      return lamp({ id, code: `BJ-000${id}` });
    });
    server().answer(getLampPlan, planNight());
    server().refuse(getHome, 403, { title: 'x' });
    server().answer(getLampFilters, {
      roads: [
        { id: 1, name: '滨江大道', lamps: 3 },
        { id: 2, name: '江南大道', lamps: 5 },
      ],
      groups: [],
      controllers: [],
    });
  });
  const open = (search = '?lamp=7', { what = <ScheduleSettings />, may = codes, handOver = {} as unknown } = {}) =>
    renderInShell(what, {
      address: `/lamp/schedule${search}`,
      codes: may,
      pages: ['lamp/schedule', 'lamp/publication', 'lamp/publish'],
      handOver,
      live: server(),
    });
  return { server, open };
}
