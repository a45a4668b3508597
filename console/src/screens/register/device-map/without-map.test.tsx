import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { getDeviceMap } from '../../../../../contract/register/device-map.ts';
import { serverForEach } from '../../../testing/contract-server.ts';
import { renderInShell } from '../../../testing/shell.tsx';
import DeviceMap from './index.tsx';

const server = serverForEach();

test('a browser that cannot draw now leads to the lists, and is asked again; then the map is fetched', async () => {
  const context = vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  const { address } = await renderInShell(<DeviceMap />, { address: '/asset/map', pages: ['pole/poles'] });
  expect(await screen.findByText(/不支持 WebGL/)).toBeTruthy();
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: '重试' })));
  // What the click might have asked for wrongly has its time to arrive.
  await act(
    async () =>
      new Promise((resolve) => {
        setTimeout(resolve, 100);
      }),
  );
  expect(screen.getByText(/不支持 WebGL/)).toBeTruthy();
  expect(server().of(getDeviceMap)).toHaveLength(0);
  context.mockReturnValue({ getExtension: () => null } as unknown as WebGL2RenderingContext);
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: '重试' })));
  await waitFor(() => expect(server().of(getDeviceMap).length).toBeGreaterThan(0));
  expect(screen.queryByText(/不支持 WebGL/)).toBeNull();
  expect(address()).toBe('/asset/map');
});
