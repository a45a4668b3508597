import { cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Suspense, useState } from 'react';
import { I18nextProvider } from 'react-i18next';
import { afterEach, expect, test, vi } from 'vitest';
import { startI18n } from '../../locales/i18n.ts';
import type { LanguageTag } from '../../session/index.ts';
import { IconPicker } from './IconPicker.tsx';
import { findIcons, pickable } from './pickable.ts';

configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });
afterEach(cleanup);

function Field({ start }: { start: string }) {
  const [icon, setIcon] = useState(start);
  return (
    <>
      <span id="label">图标</span>
      <IconPicker id="icon" labelledBy="label" value={icon} onChange={setIcon} />
      <output>{icon}</output>
    </>
  );
}
async function open(start: string, language: LanguageTag = 'zh-CN') {
  render(
    <I18nextProvider i18n={await startI18n(language)}>
      <Suspense fallback="…">
        <Field start={start} />
      </Suspense>
    </I18nextProvider>,
  );
  fireEvent.click(await screen.findByRole('button'));
  return screen.getByRole('textbox');
}
const shown = (): string[] => screen.queryAllByRole('radio').map((radio) => radio.getAttribute('aria-label') ?? '');

test('an icon is found by name, keyword, pinyin, initials; without accents too', () => {
  const icons = [
    { icon: 'lamp' as const, words: ['路灯', '照明'] },
    { icon: 'tag' as const, words: ['Étiquette', 'libellé'] },
  ];
  const romanise = (word: string) => (word === '路灯' ? ['ludeng', 'ld'] : []);
  expect(['照', 'lude', 'LD', 'lamp', 'etiq', '', 'zzz'].map((text) => findIcons(icons, text, romanise))).toEqual([
    ['lamp'],
    ['lamp'],
    ['lamp'],
    ['lamp'],
    ['tag'],
    ['lamp', 'tag'],
    [],
  ]);
});

test('the set opens with its search; a click takes an icon, folds it and gives the focus back', async () => {
  const search = await open('folder');
  expect(document.activeElement).toBe(search);
  expect(shown()).toHaveLength(pickable.length);
  expect((screen.getByRole('radio', { name: '文件夹' }) as HTMLInputElement).checked).toBe(true);
  fireEvent.change(search, { target: { value: 'ludeng' } });
  await waitFor(() => expect(shown()).toEqual(['路灯']));
  fireEvent.click(screen.getByRole('radio'), { detail: 1 });
  expect(screen.getByRole('status', { hidden: true }).textContent).toBe('lamp');
  expect(screen.queryByRole('radiogroup')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('button'));
});

test('by keyboard: Enter in the search takes the first, arrows choose without folding, Escape folds', async () => {
  const search = await open('lamp', 'fr-FR');
  fireEvent.change(search, { target: { value: 'cle' } });
  fireEvent.keyDown(search, { key: 'Enter' });
  expect(screen.getByText('key')).toBeTruthy();
  fireEvent.click(screen.getByRole('button'));
  fireEvent.click(screen.getByRole('radio', { name: 'Carte' }));
  expect(screen.getByText('map')).toBeTruthy();
  fireEvent.keyDown(screen.getByRole('radiogroup'), { key: 'Escape' });
  expect(screen.queryByRole('radiogroup')).toBeNull();
});

test('what finds nothing says so; a name of an older system is shown as what it is', async () => {
  const search = await open('md-key');
  expect(screen.getByRole('button', { expanded: true }).textContent).toContain('md-key');
  fireEvent.change(search, { target: { value: 'zzzz' } });
  expect(screen.getByText('没有叫“zzzz”的图标')).toBeTruthy();
});
