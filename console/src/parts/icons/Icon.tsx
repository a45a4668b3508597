import { iconPaths, type IconName } from './icon-paths.ts';

export type { IconName } from './icon-paths.ts';

/** Family names of icons that menu entries of older systems carry, besides our own names. */
const aliases: Record<string, IconName> = {
  bulb: 'lamp',
  'md-key': 'key',
  setting: 'settings',
  solution: 'user',
  api: 'controller',
  hdd: 'controller',
  'bar-chart': 'chart',
  'line-chart': 'curve',
  'file-text': 'document',
  thunderbolt: 'bolt',
  appstore: 'group',
  person: 'user',
  contact: 'user',
  people: 'team',
  contacts: 'team',
  build: 'tool',
  hammer: 'tool',
  construct: 'tool',
  flash: 'bolt',
  time: 'clock',
  stats: 'chart',
  analytics: 'curve',
  notifications: 'bell',
  alert: 'warning',
  call: 'phone',
  create: 'edit',
  options: 'sliders',
  paper: 'document',
  apps: 'group',
  desktop: 'screen',
  videocam: 'camera',
  volume: 'speaker',
  water: 'drop',
  sunny: 'sun',
  business: 'building',
  pricetag: 'tag',
  refresh: 'retry',
};

/** Whether a name is one of our own icons. */
export const isIconName = (name: string): name is IconName => Object.hasOwn(iconPaths, name);

/** The icon a menu entry or role names; unknown or none: for entries the cube outline of the specification. */
export function iconNameOf(name: string | null | undefined, otherwise: IconName = 'cube'): IconName {
  if (!name) return otherwise;
  // The family's sets write the same icon as `md-person`, `ios-person` and `ios-person-outline`.
  for (const known of [name, name.replace(/^(md|ios|logo)-/, '').replace(/-outline$/, '')]) {
    if (isIconName(known)) return known;
    const alias = Object.hasOwn(aliases, known) ? aliases[known] : undefined;
    if (alias) return alias;
  }
  return otherwise;
}

/** A decorative line icon; what it means is said by the text beside it or the button's label. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      viewBox="0 0 16 16"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
      focusable="false"
      style={{ flex: 'none', display: 'block' }}
    >
      <path d={iconPaths[name]} />
    </svg>
  );
}
