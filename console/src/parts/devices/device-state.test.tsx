import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { contractServer } from '../../testing/contract-server.ts';
import { renderInShell } from '../../testing/shell.tsx';
import { DeviceMark, type Device } from './device-state.tsx';

const cover: Device = {
  id: 7,
  family: 'manhole-cover',
  version: 1,
  createTime: '2026-01-01T00:00:00Z',
  updateTime: null,
  isOnline: true,
  state: 'alarm',
  fault: 'P404',
  faults: [{ code: 'P404', level: 1, since: '2026-01-01T00:00:00Z' }],
  latchedPosition: null,
  labels: {},
  secrets: [],
  latest: null,
};
afterEach(cleanup);

test('a manhole cover shows its fault by name, as a lamp does', async () => {
  const server = await contractServer();
  await renderInShell(
    <>
      <DeviceMark device={cover} />
      <DeviceMark device={{ ...cover, state: 'on', fault: null, faults: [] }} />
    </>,
  );
  expect(await screen.findByText('井下可燃气体超限')).toBeTruthy();
  expect(screen.getByText('在线')).toBeTruthy();
  await server.close();
});
