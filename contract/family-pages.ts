/** The page that lists the devices of a family, and its icon; its word in the menu is `familyPage` of `catalogue/locales`. */
export interface FamilyPage {
  readonly family: string;
  readonly icon: string;
}

/**
 * The page of each family: the server's menu and the console's screens derive from it. A key is the page's component,
 * its address and its name in the menu texts. Sections and their order are those of the menu (specified 2.10).
 */
export const familyPages = {
  'lamp/central-controllers': { family: 'central-controller', icon: 'controller' },
  'lamp/time-controllers': { family: 'time-controller', icon: 'clock' },
  'lamp/solar-controllers': { family: 'solar-controller', icon: 'sun' },
  'pole/poles': { family: 'lamp-pole', icon: 'pole' },
  'pole/gateways': { family: 'gateway', icon: 'globe' },
  'pole/information-screens': { family: 'information-screen', icon: 'screen' },
  'pole/public-broadcasts': { family: 'public-broadcast', icon: 'speaker' },
  'pole/one-click-calls': { family: 'one-click-call', icon: 'phone' },
  'pole/security-cameras': { family: 'security-camera', icon: 'camera' },
  'pole/environmental-monitors': { family: 'environmental-monitor', icon: 'environment' },
  'pole/charging-piles': { family: 'charging-pile', icon: 'bolt' },
  'pole/wifi': { family: 'wifi', icon: 'wifi' },
  'pole/micro-stations-5g': { family: 'micro-station-5g', icon: 'navigate' },
  'pole/pole-tilt-sensors': { family: 'pole-tilt-sensor', icon: 'flag' },
  'pole/manhole-covers': { family: 'manhole-cover', icon: 'manhole' },
  'pole/trash-cans': { family: 'trash-can', icon: 'trash' },
  'pole/parking-locks': { family: 'parking-lock', icon: 'car' },
  'asset/single-lamp-controllers': { family: 'single-lamp-controller', icon: 'lamp' },
  'asset/transformers': { family: 'transformer', icon: 'cube' },
  'asset/control-boxes': { family: 'control-box', icon: 'plug' },
} as const satisfies Readonly<Record<string, FamilyPage>>;

export type FamilyPageName = keyof typeof familyPages;
export const familyPageNames = Object.keys(familyPages) as readonly FamilyPageName[];

/** The page of a family; undefined: the family is unknown. */
export const pageOfFamily = (family: string | null): FamilyPageName | undefined =>
  familyPageNames.find((name) => familyPages[name].family === family);
