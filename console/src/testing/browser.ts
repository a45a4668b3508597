import { createRequire } from 'node:module';
import React from 'react';
import { flushSync } from 'react-dom';
import { afterAll, beforeEach, vi } from 'vitest';

// Where files share a process (vitest.config.ts), what our own modules remember is each file's own all the same.
vi.resetModules();

// The scheduler of React, which is a part of React DOM.
const scheduler = createRequire(createRequire(import.meta.url).resolve('react-dom'))('scheduler') as {
  unstable_IdlePriority: number;
  unstable_scheduleCallback: (priority: number, task: () => void) => unknown;
};
/**
 * React has nothing left to draw: thrice, because an effect may begin the next drawing. What is still asked of a server
 * is not waited for.
 */
async function drawn(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1)
    await new Promise<void>((next) => {
      scheduler.unstable_scheduleCallback(scheduler.unstable_IdlePriority, () => next());
    });
}

let depth = 0;
/**
 * In the place of React's `act`: what the callback did is drawn at once, all else when React's scheduler comes to it,
 * as in a browser; who awaits it goes on when nothing is left to draw. React's own has a list of what is to be done
 * that is shared by all files of a process, and never goes on with what suspends in an act that nobody awaits.
 */
function act<T>(callback: () => T): PromiseLike<Awaited<T>> {
  let result: T;
  depth += 1;
  try {
    result = depth === 1 ? flushSync(callback) : callback();
  } finally {
    depth -= 1;
  }
  const settled = async (): Promise<Awaited<T>> => {
    const value = await result;
    await drawn();
    return value;
  };
  // oxlint-disable-next-line unicorn/no-thenable -- as React's own: not begun unless somebody awaits it.
  return { then: (resolve, reject) => settled().then(resolve, reject) };
}
// The testing library, which is read after this, takes it from there. What happens outside of an act is drawn too:
// nothing is to be warned of.
Object.assign(React, { act });
Object.defineProperty(globalThis, 'IS_REACT_ACT_ENVIRONMENT', {
  configurable: true,
  get: () => false,
  set: () => {
    /* stays so */
  },
});

// What a browser has and jsdom has not. A test that asks for Node instead (@vitest-environment) has no window to
// complete.
if ('window' in globalThis) {
  const noSize = class {
    observe(): void {
      /* jsdom lays nothing out */
    }
    unobserve(): void {
      /* as above */
    }
    disconnect(): void {
      /* as above */
    }
  };
  const never = () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    addListener: () => undefined,
    removeListener: () => undefined,
  });
  Object.assign(globalThis, { matchMedia: never, ResizeObserver: noSize });
  Element.prototype.scrollIntoView = () => undefined;
  Element.prototype.setPointerCapture = () => undefined;
  // The components' style sheets: reading them, and asking each element for what they say, took a third of the time.
  // The journeys look at styles.
  Object.defineProperty(HTMLStyleElement.prototype, 'innerHTML', {
    configurable: true,
    get: () => '',
    set: () => {
      /* not read */
    },
  });
  // Each test is somebody who was never here.
  beforeEach(() => {
    sessionStorage.clear();
    localStorage.clear();
  });
  // What a file leaves on the page and in its globals goes with it.
  afterAll(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    for (const name of Object.getOwnPropertyNames(navigator)) Reflect.deleteProperty(navigator, name);
    document.body.replaceChildren();
    window.history.replaceState(null, '', '/');
  });
}
