import { expect, test } from 'vitest';
import { differences, mapStates } from '../../../../contract/device-map.ts';
import { DeviceField } from '../map/device-field.ts';
import { withDeltas } from './live-rows.ts';

const at = '2026-11-20T13:00:00.000Z';
const row = (id: number) => ({
  id,
  family: 'wifi',
  version: 1,
  createTime: at,
  updateTime: null,
  isOnline: null,
  state: null,
  fault: null,
  latchedPosition: null,
  labels: {},
  secrets: [],
  latest: null,
  equipmentName: '甲',
});
const page = { data: [row(1), row(2)], recordsTotal: 2 };

test('a list takes over what changed of its rows, and nothing else', () => {
  const told = withDeltas(page, [
    { id: 2, family: 'wifi', state: 'on', online: true, at, receivedAt: at, values: { temperature: 20 } },
    { id: 9, family: 'wifi', state: 'off' },
  ]);
  expect(told.data[0]).toBe(page.data[0]);
  expect(told.data[1]).toEqual({
    ...row(2),
    state: 'on',
    isOnline: true,
    updateTime: at,
    latest: { at, receivedAt: at, connected: null, values: { temperature: 20 } },
  });
  const later = withDeltas(told, [{ id: 2, family: 'wifi', values: { clients: 3 } }]);
  expect(later.data[1]).toEqual({
    ...told.data[1],
    latest: { at, receivedAt: at, connected: null, values: { temperature: 20, clients: 3 } },
  });
  expect(withDeltas(later, [{ id: 2, family: 'wifi', state: 'offline', online: false }]).data[1]).toMatchObject({
    state: 'offline',
    isOnline: false,
    updateTime: at,
  });
  expect(withDeltas(page, [{ id: 9, family: 'wifi', state: 'off' }])).toBe(page);
});

test('a map takes over states of what stands on it; what reports nothing stays in use', () => {
  const field = new DeviceField(['lamp-pole', 'wifi'], {
    ids: differences([1, 2, 3]),
    kinds: [mapStates.indexOf('inUse') * 2, 16, 16],
    dx: differences([1, 2, 3]),
    dy: differences([1, 2, 3]),
  });
  field.tell([
    { id: 1, state: 'on' },
    { id: 2, state: 'offline' },
    { id: 3, state: 'maintenance' },
    { id: 4, state: 'on' },
    { id: 2 },
  ]);
  expect([0, 1, 2].map((index) => field.mapState(index))).toEqual(['inUse', 'offline', 'off']);
  field.tell([
    { id: 2, state: null },
    { id: 3, state: 'odd' },
  ]);
  expect([1, 2].map((index) => field.mapState(index))).toEqual(['offline', 'off']);
});
