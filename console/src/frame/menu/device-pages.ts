import { useMenu } from './menu-context.ts';
import type { PageRoute } from './menu.ts';

/** The address of the page of a pole or device, among the pages an account has; undefined: it has none. */
export function deviceAddress(pages: readonly PageRoute[], family: string | null, id: number): string | undefined {
  const page = pages.find(({ screen }) => screen === (family === 'lamp-pole' ? 'pole' : 'device'));
  return page?.path.replace(/:\w+/, String(id));
}

/**
 * `const pageOf = useDeviceAddress(); pageOf('lamp-pole', 7)`: the address to open, or undefined without the right to
 * it.
 */
export function useDeviceAddress(): (family: string | null, id: number) => string | undefined {
  const { pages } = useMenu();
  return (family, id) => deviceAddress(pages, family, id);
}
