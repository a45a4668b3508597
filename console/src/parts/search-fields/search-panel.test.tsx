import { act, cleanup, configure, fireEvent, render, screen } from '@testing-library/react';
import { Activity, Suspense } from 'react';
import { I18nextProvider } from 'react-i18next';
import { afterEach, expect, test } from 'vitest';
import { startI18n } from '../../locales/i18n.ts';
import { SearchPanel } from './SearchPanel.tsx';

configure({ asyncUtilTimeout: 8_000 });
afterEach(cleanup);

test('what was typed and not yet searched for is still there when the page is shown again; other conditions in the address replace it', async () => {
  const i18n = await startI18n('zh-CN');
  const page = (mode: 'visible' | 'hidden', values: Record<string, string>) => (
    <I18nextProvider i18n={i18n}>
      <Suspense fallback="…">
        <Activity mode={mode}>
          <SearchPanel fields={[{ key: 'q', label: '编号或名称' }]} values={values} onSearch={() => undefined} />
        </Activity>
      </Suspense>
    </I18nextProvider>
  );
  const { rerender } = render(page('visible', {}));
  const box = await screen.findByLabelText<HTMLInputElement>('编号或名称');
  fireEvent.change(box, { target: { value: 'abckeep' } });
  act(() => rerender(page('hidden', {})));
  act(() => rerender(page('visible', {})));
  expect(screen.getByLabelText<HTMLInputElement>('编号或名称').value).toBe('abckeep');
  act(() => rerender(page('visible', { q: '滨江' })));
  expect(screen.getByLabelText<HTMLInputElement>('编号或名称').value).toBe('滨江');
});
