import { ConfigProvider } from 'antd';
import { act, cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Activity, Suspense, useState } from 'react';
import { I18nextProvider } from 'react-i18next';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { uploadBaseMapFile } from '../../../../../contract/shell/base-maps.ts';
import { TabKeyContext, TabStoreContext } from '../../../frame/tabs/tab-context.ts';
import { createTabStore, type TabStore } from '../../../frame/tabs/tab-store.ts';
import { startI18n } from '../../../locales/i18n.ts';
import { contractServer, type ContractServer } from '../../../testing/contract-server.ts';
import { ArchiveField } from './ArchiveField.tsx';
import type { BaseMapSetting } from './map-values.ts';

const stored = {
  name: 'f',
  fileName: 'city.pmtiles',
  bytes: 4_000_000_000,
  format: 'vector' as const,
  minZoom: 0,
  maxZoom: 14,
  bounds: [0, 0, 1, 1],
  attribution: null,
};
configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });
let server: ContractServer;
let tabs: TabStore;
/** The server has the whole file and is about to say so. */
let arrived: () => void;
const visit = (key: string): void => {
  tabs.visit({ key, name: key.slice(1), title: key, language: null, address: key });
};

function Field() {
  const [values, setValues] = useState<{ name: string; file: BaseMapSetting['file'] }>({ name: '', file: null });
  return (
    <>
      <input
        aria-label="name"
        value={values.name}
        onChange={(event) => setValues({ ...values, name: event.target.value })}
      />
      <ArchiveField
        id="file"
        value={values.file}
        disabled={false}
        describedBy="below"
        onSending={() => undefined}
        onChange={(file) => setValues({ ...values, file })}
      />
    </>
  );
}

async function sending() {
  const i18n = await startI18n('zh-CN');
  const page = (mode: 'visible' | 'hidden', content = <Field />) => (
    <ConfigProvider theme={{ token: { motion: false } }}>
      <I18nextProvider i18n={i18n}>
        <TabStoreContext value={tabs}>
          <TabKeyContext value="/maps">
            <Activity mode={mode}>
              <Suspense fallback="…">{content}</Suspense>
            </Activity>
          </TabKeyContext>
        </TabStoreContext>
      </I18nextProvider>
    </ConfigProvider>
  );
  const view = render(page('visible'));
  await screen.findByRole('button', { name: '选择文件' });
  const file = new File([new Uint8Array([...new TextEncoder().encode('PMTiles'), 3])], 'city.pmtiles');
  fireEvent.change(document.querySelector('input[type=file]')!, { target: { files: [file] } });
  await waitFor(() => expect(server.of(uploadBaseMapFile)).toHaveLength(1));
  return {
    drop: () => view.rerender(page('visible', <p>dropped</p>)),
    turn(mode: 'visible' | 'hidden'): void {
      act(() => visit(mode === 'visible' ? '/maps' : '/home'));
      view.rerender(page(mode));
    },
  };
}

beforeEach(async () => {
  server = await contractServer();
  tabs = createTabStore();
  for (const key of ['/home', '/maps']) visit(key);
  const waits = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  server.on(uploadBaseMapFile, async () => {
    await waits;
    return { status: 201, body: stored };
  });
});
afterEach(async () => {
  cleanup();
  arrived();
  vi.restoreAllMocks();
  await server.close();
});

test('an archive goes on its way while its tab is hidden, and is there afterwards; meanwhile closing asks', async () => {
  const stopped = vi.spyOn(XMLHttpRequest.prototype, 'abort');
  const { turn } = await sending();
  fireEvent.change(screen.getByLabelText('name'), { target: { value: '甲' } });
  expect([...tabs.getState().unsaved]).toEqual(['/maps']);
  turn('hidden');
  expect(stopped).not.toHaveBeenCalled();
  expect([...tabs.getState().unsaved]).toEqual(['/maps']);
  arrived();
  await waitFor(() => expect([...tabs.getState().unsaved]).toEqual([]));
  turn('visible');
  expect(await screen.findByText('city.pmtiles')).toBeTruthy();
  expect(screen.queryByRole('progressbar')).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>('name').value).toBe('甲');
});

test.each(['closes with its tab', 'is dropped by its page'])(
  'an archive on its way is given up when the field %s',
  async (how) => {
    const stopped = vi.spyOn(XMLHttpRequest.prototype, 'abort');
    const { drop, turn } = await sending();
    if (how.startsWith('is')) drop();
    else {
      turn('hidden');
      act(() => tabs.remove(['/maps']));
    }
    expect(stopped).toHaveBeenCalledTimes(1);
    await waitFor(() => expect([...tabs.getState().unsaved]).toEqual([]));
  },
);
