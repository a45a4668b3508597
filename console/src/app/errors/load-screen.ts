import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import { getI18n } from 'react-i18next';
import { screenAreas } from '../../screens/areas.ts';
import { builtInNames, builtInScreens, screens, type BuiltInName, type Screen } from '../../screens/index.ts';
import { CHUNK_TIMEOUT_MS } from '../../session/index.ts';

/** Loading the code of a page failed: timeout, missing file, stylesheet error (specified 10.11). */
export class ChunkLoadError extends Error {
  constructor(screen: string, cause?: unknown) {
    super(`loading of the chunk of ${screen} failed`, { cause });
    this.name = 'ChunkLoadError';
  }
}

/** Loads a page's code within the limit, or fails with `ChunkLoadError`. */
export async function loadChunk<T>(
  name: string,
  load: () => Promise<T>,
  limitMs: number = CHUNK_TIMEOUT_MS,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_, refuse) => {
    timer = setTimeout(() => refuse(new ChunkLoadError(name)), limitMs);
  });
  try {
    return await Promise.race([load(), limit]);
  } catch (cause) {
    throw cause instanceof ChunkLoadError ? cause : new ChunkLoadError(name, cause);
  } finally {
    clearTimeout(timer);
  }
}

const isBuiltIn = (name: string): name is BuiltInName => builtInNames.some((one) => one === name);
const screenNamed = (name: string): Screen | undefined =>
  (isBuiltIn(name) ? builtInScreens[name] : undefined) ?? screens[name];
const known = new Map<string, LazyExoticComponent<ComponentType>>();

/**
 * A page's code, and beside it every text that it or a part of it asks for: one that came later would take the whole
 * page away meanwhile.
 */
export async function loadScreen(name: string, screen: Screen): Promise<{ default: ComponentType }> {
  const [module] = await Promise.all([screen.load(), getI18n().loadNamespaces(screenAreas[name] ?? [])]);
  return module;
}

/** The component of a registered screen, loaded when first shown. */
export function screenComponent(name: string): LazyExoticComponent<ComponentType> | undefined {
  const screen = screenNamed(name);
  if (screen === undefined) return undefined;
  const component = known.get(name) ?? lazy(() => loadChunk(name, () => loadScreen(name, screen)));
  known.set(name, component);
  return component;
}

/**
 * Fetches the code and texts of a page before it is opened: somebody points at a link to it. A failure is told when it is
 * opened.
 */
export function fetchAhead(name: string): void {
  const screen = screenNamed(name);
  if (screen === undefined || ahead.has(name)) return;
  ahead.add(name);
  loadScreen(name, screen).catch(() => ahead.delete(name));
}
const ahead = new Set<string>();
