import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepEarlyKeys, takeEarlyKeys } from './early-keys.ts';

let stop: () => void;
beforeEach(() => {
  stop = keepEarlyKeys();
});
afterEach(() => stop());

const press = (key: string, more: KeyboardEventInit = {}, at: EventTarget = document.body): boolean =>
  at.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }));

test('letters after Ctrl K are kept until the search takes them, and reach nothing else', () => {
  press('k', { ctrlKey: true });
  expect(['h', 'd', 'j', 'x', 'Backspace', 'l'].map((key) => press(key))).not.toContain(true);
  expect(takeEarlyKeys()).toBe('hdjl');
  expect(press('a')).toBe(true);
  expect(takeEarlyKeys()).toBe('');
});

test('Escape gives up, and a field of a dialog keeps its letters', () => {
  press('k', { metaKey: true });
  press('a');
  press('Escape');
  expect(takeEarlyKeys()).toBe('');
  const dialog = document.createElement('div');
  dialog.setAttribute('role', 'dialog');
  const field = document.body.appendChild(dialog).appendChild(document.createElement('input'));
  press('k', { ctrlKey: true });
  expect(press('b', {}, field)).toBe(true);
  expect(takeEarlyKeys()).toBe('');
  dialog.remove();
});
