/** The page that lists the devices of a family: its address and component, its word in the menu, its icon. */
export interface FamilyPage {
  readonly family: string;
  readonly title: string;
  readonly icon: string;
}

/**
 * The page of each family: the server's menu and the console's screens derive from it. A key is the page's component,
 * its address and its name in the menu texts. Sections and their order are those of the menu (specified 2.10).
 */
export const familyPages = {
  'lamp/central-controllers': { family: 'central-controller', title: '集中控制器管理', icon: 'controller' },
  'lamp/time-controllers': { family: 'time-controller', title: '时控器管理', icon: 'clock' },
  'lamp/solar-controllers': { family: 'solar-controller', title: '太阳能控制器管理', icon: 'sun' },
  'pole/poles': { family: 'lamp-pole', title: '灯杆管理', icon: 'pole' },
  'pole/gateways': { family: 'gateway', title: '网关管理', icon: 'globe' },
  'pole/information-screens': { family: 'information-screen', title: '信息屏管理', icon: 'screen' },
  'pole/public-broadcasts': { family: 'public-broadcast', title: '公共广播管理', icon: 'speaker' },
  'pole/one-click-calls': { family: 'one-click-call', title: '一键呼叫管理', icon: 'phone' },
  'pole/security-cameras': { family: 'security-camera', title: '安防摄像机管理', icon: 'camera' },
  'pole/environmental-monitors': { family: 'environmental-monitor', title: '环境监测管理', icon: 'environment' },
  'pole/charging-piles': { family: 'charging-pile', title: '充电桩管理', icon: 'bolt' },
  'pole/wifi': { family: 'wifi', title: 'WiFi管理', icon: 'wifi' },
  'pole/micro-stations-5g': { family: 'micro-station-5g', title: '5G微基站管理', icon: 'navigate' },
  'pole/pole-tilt-sensors': { family: 'pole-tilt-sensor', title: '灯杆倾斜传感器管理', icon: 'flag' },
  'pole/manhole-covers': { family: 'manhole-cover', title: '井盖管理', icon: 'target' },
  'pole/trash-cans': { family: 'trash-can', title: '垃圾桶管理', icon: 'trash' },
  'pole/parking-locks': { family: 'parking-lock', title: '车位锁管理', icon: 'car' },
  'asset/single-lamp-controllers': { family: 'single-lamp-controller', title: '单灯控制器', icon: 'lamp' },
  'asset/transformers': { family: 'transformer', title: '变压器', icon: 'cube' },
  'asset/control-boxes': { family: 'control-box', title: '配电箱', icon: 'plug' },
} as const satisfies Readonly<Record<string, FamilyPage>>;

export type FamilyPageName = keyof typeof familyPages;
export const familyPageNames = Object.keys(familyPages) as readonly FamilyPageName[];

/** The page of a family; undefined: the family is unknown. */
export const pageOfFamily = (family: string | null): FamilyPageName | undefined =>
  familyPageNames.find((name) => familyPages[name].family === family);
