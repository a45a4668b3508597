import { useCallback, useState } from 'react';

/**
 * That the map can be drawn is remembered; that it cannot is asked again: the graphics process may have been busy, or
 * all contexts taken.
 */
let known = false;

/**
 * Whether this browser can draw the map now. The context of the trial is given back at once: a browser has 16 of them
 * for all pages of a site.
 */
export function hasWebGl(): boolean {
  if (known) return true;
  try {
    const gl = document.createElement('canvas').getContext('webgl2');
    gl?.getExtension('WEBGL_lose_context')?.loseContext();
    known = gl !== null;
  } catch {
    known = false;
  }
  return known;
}

/** Whether the map can be drawn, and another trial. */
export function useWebGl(): readonly [can: boolean, again: () => void] {
  const [can, setCan] = useState(hasWebGl);
  return [can, useCallback(() => setCan(hasWebGl()), [])];
}
