import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import { getI18n } from 'react-i18next';
import { ChunkLoadError, loadChunk } from '../../api/load-chunk.ts';
import { screenAreas } from '../../screens/areas.ts';
import {
  builtInNames,
  builtInScreens,
  screens,
  type BuiltInName,
  type Frame,
  type Screen,
} from '../../screens/index.ts';

const isBuiltIn = (name: string): name is BuiltInName => builtInNames.some((one) => one === name);
const screenNamed = (name: string): Screen | undefined =>
  (isBuiltIn(name) ? builtInScreens[name] : undefined) ?? screens[name];
/** What holds the place of a screen while its code is on its way. */
export const frameOf = (name: string): Frame => screenNamed(name)?.frame ?? 'cards';
const known = new Map<string, LazyExoticComponent<ComponentType>>();

/**
 * A page's code, and beside it every text that it or a part of it asks for: one that came later would take the whole
 * page away meanwhile.
 */
export async function loadScreen(name: string, screen: Screen): Promise<{ default: ComponentType }> {
  const [module] = await Promise.all([screen.load(), loadTexts(screenAreas[name] ?? [])]);
  return module;
}

/** Texts that do not come fail the page, which offers a reload; else keys would stand in their place. */
async function loadTexts(areas: readonly string[]): Promise<void> {
  const i18n = getI18n();
  const missing = (): string[] => areas.filter((area) => !i18n.hasResourceBundle(i18n.language, area));
  await i18n.loadNamespaces(missing());
  if (missing().length > 0) throw new ChunkLoadError(`texts-${missing().join()}`);
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
