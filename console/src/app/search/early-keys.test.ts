import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepEarlyKeys, searchClosed, takeEarlyKeys } from './early-keys.ts';

let stop: () => void;
beforeEach(() => {
  stop = keepEarlyKeys();
});
afterEach(() => {
  searchClosed();
  stop();
});

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
  searchClosed();
  const dialog = document.createElement('div');
  dialog.setAttribute('role', 'dialog');
  const field = document.body.appendChild(dialog).appendChild(document.createElement('input'));
  press('k', { ctrlKey: true });
  expect(press('b', {}, field)).toBe(true);
  expect(takeEarlyKeys()).toBe('');
  dialog.remove();
});

test('nothing is kept while the search is open, and a field of the page keeps its letters', () => {
  press('k', { ctrlKey: true });
  takeEarlyKeys();
  press('k', { ctrlKey: true });
  expect(press('a')).toBe(true);
  searchClosed();
  const field = document.body.appendChild(document.createElement('textarea'));
  press('k', { ctrlKey: true });
  expect(press('b', {}, field)).toBe(true);
  expect(takeEarlyKeys()).toBe('');
  field.remove();
});
