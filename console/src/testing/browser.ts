import { afterAll, beforeEach, vi } from 'vitest';

// Where files share a process (vitest.config.ts), what our own modules remember is each file's own all the same.
vi.resetModules();

// What a browser has and jsdom has not. A test that asks for Node instead (@vitest-environment) has no window to complete.
if ('window' in globalThis) {
  const noSize = class { observe(): void { /* jsdom lays nothing out */ } unobserve(): void { /* as above */ } disconnect(): void { /* as above */ } };
  const never = () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined, addListener: () => undefined, removeListener: () => undefined });
  Object.assign(globalThis, { matchMedia: never, ResizeObserver: noSize });
  Element.prototype.scrollIntoView = () => undefined;
  // The components' style sheets: reading them, and asking each element for what they say, took a third of the time. The journeys look at styles.
  Object.defineProperty(HTMLStyleElement.prototype, 'innerHTML', { configurable: true, get: () => '', set: () => { /* not read */ } });
  // Each test is somebody who was never here.
  beforeEach(() => {
    sessionStorage.clear();
    localStorage.clear();
  });
  // What a file leaves on the page and in its globals goes with it.
  afterAll(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    document.body.replaceChildren();
    window.history.replaceState(null, '', '/');
  });
}
