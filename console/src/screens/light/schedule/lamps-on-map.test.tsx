import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { getLampMap } from '../../../../../contract/light/lamps.ts';
import { previewSchedule } from '../../../../../contract/light/schedules.ts';
import { listBaseMaps } from '../../../../../contract/shell/base-maps.ts';
import { getBaseMap } from '../../../../../contract/shell/demo.ts';
import { bodyOf, press } from '../../../testing/shell.tsx';
import { lampMap, withMaps } from '../../../testing/still-map.ts';
import { field, preview, schedulePage, type } from './testing/schedule-page.tsx';

vi.mock('maplibre-gl', () => import('../../../testing/still-map.ts'));

const { server, open } = schedulePage();

test('choosing lamps on the map keeps what was entered, and the choice can be corrected', async () => {
  const map = withMaps();
  server().answer(previewSchedule, preview);
  server().answer(getLampMap, lampMap(4));
  server().answer(getBaseMap, { type: 'FeatureCollection', features: [] });
  server().answer(listBaseMaps, { data: [], recordsTotal: 0 });
  const { address } = await open('');
  await screen.findByRole('heading', { name: '时间表设置' });
  type('日落延时（分钟）', '15');
  const choose = async (button: string, longitudes: readonly number[]): Promise<void> => {
    await press(button);
    const dialog = within(await screen.findByRole('dialog', {}, { timeout: 20_000 }));
    await dialog.findByRole('button', { name: '圈选区域' }, { timeout: 20_000 });
    for (const longitude of longitudes) await act(async () => map().click(longitude, 30.2));
    await press('就用这些');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  };
  await choose('在地图上选', [120.2, 120.201]);
  await screen.findByText('已选 2 盏');
  expect(field('日落延时（分钟）').getAttribute('aria-valuenow')).toBe('15');
  await choose('在地图上改', [120.2]);
  await screen.findByText('已选 1 盏');
  expect(address()).toBe('/lamp/schedule');
  await press('查看影响');
  await waitFor(() =>
    expect(bodyOf(server(), previewSchedule)).toMatchObject({
      scope: { deviceIds: [2] },
      schedule: { sunsetDelayMinutes: 15 },
    }),
  );
});
