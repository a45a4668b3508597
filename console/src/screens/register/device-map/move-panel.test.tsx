import { ConfigProvider } from 'antd';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Suspense } from 'react';
import { I18nextProvider } from 'react-i18next';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { differences } from '../../../../../contract/device-map.ts';
import { listDevices, updateDevice } from '../../../../../contract/register/devices.ts';
import { createQueryClient } from '../../../api/index.ts';
import { startI18n } from '../../../locales/i18n.ts';
import { namesFor } from '../../../locales/catalogue-names.ts';
import { DeviceField } from '../../../parts/map/device-field.ts';
import type { LanguageTag } from '../../../session/index.ts';
import { contractServer, type ContractServer } from '../../../testing/contract-server.ts';
import { MovePanel } from './MovePanel.tsx';
import { useMove } from './use-move.ts';

configure({ asyncUtilTimeout: 8_000 });
const middle = { longitude: 120.25, latitude: 30.25 };
/** A street of poles, ids from 1, and devices that hang on the first and have positions of their own. */
const field = (): DeviceField =>
  new DeviceField(['lamp-pole', 'wifi'], {
    ids: differences([1, 2, 3, 4, 5]),
    kinds: [0, 0, 0, 16, 16],
    dx: differences([120_200_000, 120_201_000, 120_202_000, 120_200_010, 120_200_020]),
    dy: differences([30_200_000, 30_200_000, 30_200_000, 30_200_010, 30_200_020]),
  });
const row = (id: number, family: string, equipmentCode: string) => ({
  id,
  family,
  version: 4,
  createTime: '2026-11-20T09:00:00.000Z',
  updateTime: null,
  isOnline: null,
  state: null,
  fault: null,
  latchedPosition: null,
  labels: {},
  secrets: [],
  latest: null,
  equipmentCode,
});
let server: ContractServer;

beforeEach(async () => {
  server = await contractServer();
  server.answer(listDevices, { data: [], recordsTotal: 0 });
});
afterEach(async () => {
  cleanup();
  await server.close();
});

function Moving({ of, id, family }: { of: DeviceField; id: number; family: string }) {
  const { pending, saving, error, move, place, save, cancel } = useMove();
  return (
    <>
      <button
        type="button"
        onClick={() => place({ id, family, code: 'N-1', name: null, roadName: null, version: 3 }, middle)}
      >
        place it
      </button>
      <button type="button" onClick={() => move({ longitude: 120.3, latitude: 30.3 })}>
        drag it
      </button>
      {pending ? (
        <MovePanel
          key={pending.id}
          field={of}
          pending={pending}
          saving={saving}
          error={error}
          onMove={move}
          onSave={() => void save()}
          onCancel={cancel}
        />
      ) : null}
    </>
  );
}

async function place(of: DeviceField, language: LanguageTag = 'zh-CN', id = 9, family = 'wifi'): Promise<void> {
  const i18n = await startI18n(language);
  await namesFor(language);
  render(
    <ConfigProvider button={{ autoInsertSpace: false }} theme={{ token: { motion: false } }}>
      <I18nextProvider i18n={i18n}>
        <QueryClientProvider client={createQueryClient()}>
          <Suspense fallback="…">
            <Moving of={of} id={id} family={family} />
          </Suspense>
        </QueryClientProvider>
      </I18nextProvider>
    </ConfigProvider>,
  );
  const begin = await screen.findByRole('button', { name: 'place it' });
  // Its words and names may still be on their way.
  await act(async () => fireEvent.click(begin));
  await screen.findByRole('heading', { level: 2 });
}
const box = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const type = (name: string, value: string): void => {
  fireEvent.change(box(name), { target: { value } });
};
const saving = () => screen.getByRole<HTMLButtonElement>('button', { name: '确认放置' });

test('what cannot be read stays, says so and is not saved; what is typed is what is written', async () => {
  server.answer(updateDevice, row(9, 'wifi', 'N-1'));
  await place(field());
  type('经度', '120.2033');
  type('纬度', '30,2021');
  fireEvent.blur(box('纬度'));
  expect([box('经度').value, box('纬度').value]).toEqual(['120.2033', '30,2021']);
  expect(saving().disabled).toBe(true);
  expect([box('经度'), box('纬度')].map((input) => input.getAttribute('aria-invalid'))).toEqual(['false', 'true']);
  expect(document.getElementById(box('纬度').getAttribute('aria-describedby')!)?.textContent).toMatch(/-85.*85/);
  expect(server.of(updateDevice)).toEqual([]);
  type('纬度', '30.2021');
  expect(box('纬度').getAttribute('aria-describedby')).toBeNull();
  fireEvent.blur(box('纬度'));
  fireEvent.click(saving());
  await waitFor(() =>
    expect(server.of(updateDevice).map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      { version: 3, longitude: 120.2033, latitude: 30.2021 },
    ]),
  );
});

test('a move by hand replaces what was typed, readable or not', async () => {
  await place(field());
  type('纬度', '30,2021');
  fireEvent.click(screen.getByRole('button', { name: 'drag it' }));
  expect([box('经度').value, box('纬度').value]).toEqual(['120.300000', '30.300000']);
  expect(saving().disabled).toBe(false);
  type('纬度', '30.2');
  expect([box('经度').value, box('纬度').value]).toEqual(['120.300000', '30.2']);
});

test('the middle of the city is looked for once, however long a move takes', async () => {
  const city = field();
  const looked = vi.spyOn(city.place, 'toLngLat');
  await place(city);
  fireEvent.click(screen.getByRole('button', { name: 'drag it' }));
  for (const latitude of ['30.1', '31.2', '32.3']) type('纬度', latitude);
  await screen.findByRole('checkbox', { name: '位置无误' });
  expect(looked).toHaveBeenCalledTimes(1);
});

test('what stays behind is listed in the writing of the language', async () => {
  server.answer(listDevices, { data: [row(4, 'wifi', 'W-1'), row(5, 'wifi', 'W-2')], recordsTotal: 2 });
  await place(field(), 'fr-FR', 1, 'lamp-pole');
  await screen.findByText(/W-1, W-2$/);
});
