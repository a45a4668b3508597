// A page is built by hand: what is tested is where keys count and where `/` goes.
import { beforeEach, expect, test } from 'vitest';
import { focusSearch, shortcutOf } from './shortcuts.ts';

beforeEach(() => {
  document.body.innerHTML = `
    <main id="main">
      <div data-tab="/a" style="display: none"><form role="search"><input id="behind" /></form></div>
      <div data-tab="/b"><form role="search" hidden><input id="folded" /></form><form role="search"><input id="off" disabled /><input id="found" value="灯" /></form><ul role="tree"><li id="leaf" tabindex="0"></li></ul></div>
    </main>
    <div role="dialog"><button id="inside"></button></div>`;
});

const press = (key: string, more: KeyboardEventInit = {}, target = 'main') => {
  let name: string | undefined;
  const element = document.getElementById(target);
  const listen = (event: Event): void => {
    name = shortcutOf(event as KeyboardEvent);
  };
  window.addEventListener('keydown', listen);
  element?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }));
  window.removeEventListener('keydown', listen);
  return name;
};

test('single keys are known in either case and on layouts without Latin letters', () => {
  expect(['?', '/', 'r', 'R', '.', ',', 'x', 'h'].map((key) => press(key))).toEqual([
    'help',
    'find',
    'refresh',
    'refresh',
    'next',
    'previous',
    'close',
    'home',
  ]);
  expect(press('ㄱ', { code: 'KeyR' })).toBe('refresh');
  // An AZERTY or Dvorak key that prints another letter means that letter.
  expect(press('z', { code: 'KeyX' })).toBeUndefined();
});

test('they mean nothing with a modifier, held down, while composing, and where keys belong to what has the focus', () => {
  for (const more of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { repeat: true }, { isComposing: true }])
    expect(press('r', more)).toBeUndefined();
  expect(['found', 'leaf', 'inside'].map((id) => press('r', {}, id))).toEqual([undefined, undefined, undefined]);
});

test('the search of the shown page gets the cursor; hidden, folded and disabled ones are passed over', () => {
  expect(focusSearch(document.getElementById('main'))).toBe(true);
  expect(document.activeElement?.id).toBe('found');
  document.getElementById('found')?.remove();
  expect(focusSearch(document.getElementById('main'))).toBe(false);
});
