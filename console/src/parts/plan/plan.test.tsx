import { cleanup, configure, fireEvent, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Problem } from '../../../../catalogue/fields/kind.ts';
import type { Programme } from '../../../../catalogue/lighting/plan/programme.ts';
import { energyOf } from '../../../../catalogue/lighting/plan/night-energy.ts';
import { validateProgramme } from '../../../../catalogue/lighting/plan/validate.ts';
import { addDays } from '../../../../catalogue/lighting/zone.ts';
import { renderInShell } from '../../testing/shell.tsx';
import { tidyClock } from './ClockInput.tsx';
import {
  extremeOf,
  freshProgramme,
  fullHours,
  instantOfHandle,
  litEnds,
  moved,
  nightOf,
  sceneOf,
  spansOf,
  unusedPeriods,
  yearOf,
} from './model.ts';
import { inMode } from './modes.ts';
import { lightPath, yOf } from './picture.ts';
import { pixelsOf, rows } from './year-picture.ts';
import { ProgrammeEditor } from './ProgrammeEditor.tsx';
import { problemIn, useProblemWords } from './use-problem-words.ts';

configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });
afterEach(cleanup);

const hangzhou = { latitude: 30.2, longitude: 120.2, timeZone: 'Asia/Shanghai', sunOffsetMinutes: 0 };
const plain = { notBefore: null, notAfter: null, light: null };
/** From 10 minutes before sunset; 18:00 falls before the sunsets of summer. */
const staged: Programme = {
  on: { at: 'sunset', offsetMinutes: -10, ...plain },
  off: { at: 'sunrise', offsetMinutes: 5, ...plain },
  minimumMinutes: 10,
  periods: [
    { start: 'on', level: 100, pattern: 'all', rampSeconds: 0 },
    { start: { at: '18:00', offsetMinutes: 0 }, level: 80, pattern: 'all', rampSeconds: 0 },
    { start: { at: '23:00', offsetMinutes: 0 }, level: 60, pattern: 'alternateOne', rampSeconds: 30 },
  ],
};
const clock = (at: number | null): string =>
  at === null ? '—' : new Date(at + 8 * 3_600_000).toISOString().slice(11, 16);

describe('a boundary of the night', () => {
  test('moves by minutes within noon and noon, or within the limits of its offset', () => {
    expect(moved({ at: '23:58', offsetMinutes: 0 }, 5).at).toBe('00:03');
    expect(moved({ at: '12:03', offsetMinutes: 0 }, -10).at).toBe('12:00');
    expect(moved({ at: '11:55', offsetMinutes: 0 }, 10).at).toBe('11:59');
    expect(moved({ at: '23:02', offsetMinutes: 0 }, 9, 5).at).toBe('23:10');
    expect(moved({ at: 'sunset', offsetMinutes: -235 }, -10).offsetMinutes).toBe(-240);
    expect(moved({ at: '', offsetMinutes: 0 }, 10).at).toBe('');
  });

  test('stands where its time is, whether the night uses it or not', () => {
    const scene = sceneOf(hangzhou, '2026-06-21');
    const night = nightOf(staged, hangzhou, '2026-06-21');
    const at = (name: 'on' | 'off' | number) => clock(instantOfHandle(staged, name, { place: hangzhou, scene, night }));
    // Sunset in Hangzhou on the longest day is at about 19:03: the period of 18:00 lies before it.
    expect([at('on'), at(1), at(2), at('off')]).toEqual(['18:53', '18:00', '23:00', '05:03']);
    // Its level holds from on, so that the first one is not used.
    expect([...unusedPeriods(staged, { place: hangzhou, scene, night })]).toEqual([0]);
  });

  test('a typed time is tidied, and what is none stays as it was typed', () => {
    expect(['2300', '7:5', '7：05', '25:00', 'x'].map(tidyClock)).toEqual(['23:00', '07:05', '07:05', '25:00', 'x']);
  });
});

describe('a night', () => {
  test('counts hours and energy of an average lamp of a row', () => {
    const night = nightOf(
      { ...freshProgramme, periods: [{ start: 'on', level: 50, pattern: 'alternateOne', rampSeconds: 0 }] },
      hangzhou,
      '2026-11-25',
    );
    const [from, to] = litEnds(night)!;
    const hours = (to - from) / 3_600_000;
    expect(fullHours(night)).toBeCloseTo(hours * 0.25, 6);
    expect(energyOf(night, () => 100)).toBeCloseTo(hours * 0.1 * 0.5, 6);
  });

  test('leaves out a period that is not entered yet, and keeps the places of the others', () => {
    const open: Programme = {
      ...staged,
      periods: [
        staged.periods[0]!,
        { start: { at: '', offsetMinutes: 0 }, level: 10, pattern: 'all', rampSeconds: 0 },
        staged.periods[2]!,
      ],
    };
    const night = nightOf(open, hangzhou, '2026-11-25');
    expect(night.steps.map(({ level, period }) => [level, period])).toEqual([
      [100, 0],
      [60, 2],
      [0, null],
    ]);
    expect(nightOf({ ...staged, on: { ...staged.on, at: '' } }, hangzhou, '2026-11-25').lit).toEqual([]);
  });

  test('the year names the stretch in which a period is not used, and its extreme nights', () => {
    const nights = yearOf(staged, hangzhou, 2026);
    expect(nights).toHaveLength(365);
    const dark = spansOf(nights, ({ unused }) => unused.has(0));
    // Begins when sunset less ten minutes passes 18:00, ends when it falls before it again.
    const late = (day: string): boolean => nightOf(staged, hangzhou, day).on! >= Date.parse(`${day}T18:00:00+08:00`);
    expect(dark).toHaveLength(1);
    expect([late(dark[0]!.from), late(addDays(dark[0]!.from, -1))]).toEqual([true, false]);
    expect([late(dark[0]!.to), late(addDays(dark[0]!.to, 1))]).toEqual([true, false]);
    expect(extremeOf(nights, 'shortest')?.scene.day.slice(5, 7)).toBe('06');
    expect(extremeOf(nights, 'longest')?.scene.day.slice(5, 7)).toBe('12');
  });

  test('is drawn as light over its sky: brighter is higher, and a pattern leaves gaps between nights', () => {
    expect(yOf(100)).toBeLessThan(yOf(50));
    const stretch = { from: 2, to: 6, level: 60, pattern: 'all', rampSeconds: 0 } as const;
    expect(lightPath(stretch, undefined, { from: 0, to: 10 })).toMatch(/^M200\.00 .*L600\.00 .*Z$/);
    const nights = yearOf(staged, hangzhou, 2026).slice(0, 2);
    const pixels = pixelsOf(nights);
    const at = (x: number, y: number) => pixels[(y * nights.length + x) * 4]!;
    const midnight = rows / 2;
    expect(at(0, midnight)).toBeGreaterThan(at(1, midnight));
    expect(at(0, 3)).toBe(at(1, 3));
  });
});

test('a scheme’s mode gives its pattern to the periods, and 手动 has wall-clock times and one period', () => {
  const alternate = inMode(staged, 'energySaving', 'alternateTwo');
  expect(alternate.periods.map(({ pattern }) => pattern)).toEqual(['alternateTwo', 'alternateTwo', 'alternateTwo']);
  const manual = inMode(staged, 'alternateOne', 'manual');
  expect([manual.on.at, manual.off.at, manual.periods.length]).toEqual(['18:00', '06:00', 1]);
});

describe('the editor of a programme', () => {
  let last: Programme;
  function Editor({ first, judged = false }: { first: Programme; judged?: boolean }) {
    const [programme, setProgramme] = useState(first);
    const words = useProblemWords();
    last = programme;
    const problems: Problem[] = judged ? validateProgramme(programme) : [];
    return (
      <ProgrammeEditor
        programme={programme}
        mode={null}
        place={hangzhou}
        disabled={false}
        problemOf={problemIn(words(problems))}
        onChange={setProgramme}
      />
    );
  }
  const handle = (name: string | RegExp) => screen.findByRole('slider', { name });

  test('moves a boundary by arrow keys: one minute, with Shift ten, and the sentence follows', async () => {
    await renderInShell(<Editor first={staged} />);
    const third = await handle('时段 3');
    fireEvent.keyDown(third, { key: 'ArrowRight' });
    fireEvent.keyDown(third, { key: 'ArrowLeft', shiftKey: true });
    expect(last.periods[2]?.start).toEqual({ at: '22:51', offsetMinutes: 0 });
    fireEvent.keyDown(await handle('开灯时刻'), { key: 'ArrowLeft', shiftKey: true });
    expect(last.on.offsetMinutes).toBe(-20);
    expect(
      screen.getByText(/日落前 20 分钟起 100%，18:00 起 80%，22:51 起隔一亮一 60%，日出后 5 分钟关灯。/),
    ).toBeTruthy();
  });

  test('drags a boundary in steps of five minutes; Escape takes it back', async () => {
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 1440, 200));
    await renderInShell(<Editor first={staged} />);
    const third = await handle('时段 3');
    fireEvent.pointerDown(third, { button: 0, isPrimary: true, clientX: 660 });
    fireEvent.pointerMove(window, { clientX: 678 });
    expect(last.periods[2]?.start).toMatchObject({ at: '23:20' });
    fireEvent.keyDown(window, { key: 'Escape' });
    expect(last.periods[2]?.start).toMatchObject({ at: '23:00' });
    vi.restoreAllMocks();
  });

  test('adds a time range up to six, removes it, and says every problem beside its field at once', async () => {
    await renderInShell(<Editor first={staged} judged />);
    const add = await screen.findByRole<HTMLButtonElement>('button', { name: '添加时段' });
    for (let n = 0; n < 3; n++) fireEvent.click(add);
    expect([last.periods.length, add.disabled]).toEqual([6, true]);
    // Three empty times, each with the specified words.
    expect(screen.getAllByText('时间不能为空')).toHaveLength(3);
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: '时段 6：开始：时刻' }));
    fireEvent.click(screen.getByRole('button', { name: '删除时段 6' }));
    expect(screen.getAllByText('时间不能为空')).toHaveLength(2);
    const level = screen.getByRole('spinbutton', { name: '时段 2：亮度' });
    fireEvent.change(level, { target: { value: '' } });
    expect(level.getAttribute('aria-invalid')).toBe('true');
    fireEvent.click(screen.getByRole('button', { name: '上移时段 3' }));
    expect(last.periods[1]).toMatchObject({ level: 60 });
  });

  test('the year’s slider chooses the night, and dates say from when a period is not used', async () => {
    await renderInShell(<Editor first={staged} />);
    const year = await screen.findByRole('slider', { name: '一年中的哪一夜' });
    fireEvent.change(year, { target: { value: '171' } });
    expect(year.getAttribute('aria-valuetext')).toBe('6月21日');
    expect((await handle('时段 2')).getAttribute('aria-valuetext')).toBe('18:00');
    expect(screen.getByText(/^时段 1（日落前 10 分钟）不起作用：3月\d+日至9月\d+日$/)).toBeTruthy();
    const results = within(screen.getByRole('row', { name: /最长一夜/ }));
    expect(results.getByText(/^\d\d:\d\d–\d\d:\d\d$/)).toBeTruthy();
  });
});
