import { iconPaths, type IconName } from './icon-paths.ts';

export type { IconName } from './icon-paths.ts';

/** Family names of icons that menu entries of older systems carry, besides our own names. */
const aliases: Record<string, IconName> = {
  bulb: 'lamp', 'md-key': 'key', setting: 'settings', solution: 'user', api: 'controller', hdd: 'controller',
  'bar-chart': 'chart', 'line-chart': 'curve', 'file-text': 'document', thunderbolt: 'bolt', appstore: 'group',
};

/** Whether a name is one of our own icons. */
export const isIconName = (name: string): name is IconName => Object.hasOwn(iconPaths, name);

/** The icon a menu entry names; unknown or none: the cube outline of the specification. */
export function iconNameOf(name: string | null | undefined): IconName {
  if (!name) return 'cube';
  return isIconName(name) ? name : (Object.hasOwn(aliases, name) ? aliases[name] : undefined) ?? 'cube';
}

/** A decorative line icon; what it means is said by the text beside it or the button's label. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg viewBox="0 0 16 16" width={size} height={size} fill="none" stroke="currentColor" strokeWidth={1.5} strokeLinecap="round" strokeLinejoin="round" aria-hidden focusable="false" style={{ flex: 'none', display: 'block' }}>
      <path d={iconPaths[name]} />
    </svg>
  );
}
