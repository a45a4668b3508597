import { fetchAppearance } from './calls.ts';

/** How the site calls itself; absent parts keep the product's own. */
export interface Appearance {
  readonly name?: string;
  readonly logo?: string;
}

const DEFAULT_ICON = '/favicon.svg';
const filled = (value: unknown): value is string => typeof value === 'string' && value !== '';

/**
 * Loads name, logo, title and icon and puts title and icon on the tab; on failure everything stays the product's own.
 */
export async function loadAppearance(): Promise<Appearance> {
  const outcome = await fetchAppearance();
  if (outcome.kind !== 'done' || typeof outcome.body !== 'object' || outcome.body?.code !== 0) return {};
  const { name, logo, title, ico } = outcome.body.data;
  if (filled(title)) document.title = title;
  document.querySelector('link[rel=icon]')?.setAttribute('href', filled(ico) ? ico : DEFAULT_ICON);
  return { ...(filled(name) ? { name } : {}), ...(filled(logo) ? { logo } : {}) };
}
