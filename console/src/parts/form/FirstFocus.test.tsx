import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FirstFocus } from './FirstFocus.tsx';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['requestAnimationFrame', 'cancelAnimationFrame'] });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const draw = () => {
  render(
    <div>
      <button type="button">关闭</button>
      <FirstFocus>
        <input aria-label="用户名" />
      </FirstFocus>
      <input aria-label="级别" />
    </div>,
  );
  screen.getByRole('button').focus();
};
const focused = () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent;

test('a dialog begins with its field, whatever had the focus', () => {
  draw();
  vi.advanceTimersToNextFrame();
  expect(focused()).toBe('用户名');
});

test.each([
  [
    'presses another field',
    () => {
      fireEvent.mouseDown(screen.getByLabelText('级别'));
      screen.getByLabelText('级别').focus();
    },
  ],
  [
    'goes to it by keyboard',
    () => {
      fireEvent.keyDown(document.activeElement!, { key: 'Tab' });
      screen.getByLabelText('级别').focus();
    },
  ],
  [
    'touches it',
    () => {
      fireEvent.pointerDown(screen.getByLabelText('级别'));
      screen.getByLabelText('级别').focus();
    },
  ],
  [
    'types into it',
    () => {
      screen.getByLabelText('级别').focus();
      fireEvent.input(screen.getByLabelText('级别'), { target: { value: 'A' } });
    },
  ],
])('who %s before the dialog is drawn keeps the focus there', (_, act) => {
  draw();
  act();
  for (let frame = 0; frame < 40; frame += 1) vi.advanceTimersToNextFrame();
  expect(focused()).toBe('级别');
});
