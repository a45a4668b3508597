import { namesIn } from '../../../../catalogue/index.ts';
import { familyPageNames, familyPages, type FamilyPageName } from '../../../../contract/family-pages.ts';
import type { Permission } from '../../../../contract/permissions.ts';
import type { MenuSeed } from '../installation/index.ts';

/** The sections of the menu of a fresh installation, in order (specified 2.13). */
const sections = {
  lamp: { title: '智慧路灯', icon: 'lamp', language: 'lamp' },
  pole: { title: '智慧灯杆', icon: 'pole', language: 'pole' },
  asset: { title: '资产', icon: 'layers', language: 'assets' },
  system: { title: '系统', icon: 'settings', language: 'system' },
} as const;
type Section = keyof typeof sections;

/** Entries of a section that stand together. */
export interface MenuPart {
  readonly section: Section;
  /** Parts of a section stand in the order of this number; each has its own. */
  readonly place: number;
  readonly entries: readonly MenuSeed[];
}

/** What the entries of a wing depend on. */
export interface MenuSite {
  readonly demo: boolean;
}

/**
 * The entries of a wing (`menu.ts` of each). They are no part of a feature's value: the rows of an installation are
 * written before features are created.
 */
export type WingMenu = (site: MenuSite) => readonly MenuPart[];

/**
 * The menu of a fresh installation, the sum of what the wings declare: an entry stands there when its page works.
 * `language` is the console's key (area `menu`), the component names its screen. New entries of later versions reach
 * installations that exist. Throws where two parts claim one place.
 */
export function builtInMenu(wings: readonly WingMenu[], site: MenuSite): readonly MenuSeed[] {
  const parts = wings.flatMap((menu) => menu(site)).toSorted((a, b) => a.place - b.place);
  return (Object.keys(sections) as Section[]).map((name) => {
    const own = parts.filter(({ section }) => section === name);
    const twice = own.find(({ place }, index) => own[index + 1]?.place === place);
    if (twice) throw new Error(`two parts of the menu claim place ${twice.place} of the section ${name}`);
    const { title, icon, language } = sections[name];
    return {
      type: 'menu1',
      name,
      title,
      icon,
      url: `/${name}`,
      component: 'layout',
      language,
      children: own.flatMap(({ entries }) => entries),
    };
  });
}

/** Entries at a place of a section. */
export const inSection = (section: Section, place: number, ...entries: readonly MenuSeed[]): MenuPart => ({
  section,
  place,
  entries,
});

/** The pages of a section's device families. */
export const familiesOf = (name: string): readonly MenuSeed[] =>
  familyPageNames.filter((one) => one.startsWith(`${name}/`)).map((one) => familyPage(one));

interface ButtonSeed {
  readonly verb: string;
  readonly title: string;
  readonly code: Permission;
}

interface DetailSeed {
  readonly url: string;
  readonly component: string;
  readonly code: Permission;
  /** The component unless named. */
  readonly language?: string;
}

export const button = (verb: string, title: string, code: Permission): ButtonSeed => ({ verb, title, code });

const deviceButtons = [
  button('add', '新增', 'device.add'),
  button('edit', '编辑', 'device.edit'),
  button('del', '删除', 'device.del'),
  button('credentials', '发放凭据', 'device.credentials'),
  button('secret', '查看密码', 'device.secret'),
  button('bind', '绑定用户', 'device.bind'),
  button('import', '导入', 'device.import'),
  button('export', '导出', 'device.export'),
];
/** A built-in page (specified 2.4): found by its route name, at an address of ours. */
export function builtIn(
  name: string,
  title: string,
  icon: string,
  code: Permission,
  buttons: readonly ButtonSeed[],
  forms: readonly MenuSeed[] = [],
): MenuSeed {
  return { ...page(`system/${name}`, title, icon, code, buttons, forms), name, component: name, language: name };
}

/** The page of a form under its list: a route without a menu entry, with the code of its verb. */
export const form = (name: string, title: string, code: Permission): MenuSeed => ({
  type: 'non-menu',
  name,
  title,
  url: `/system/${name}`,
  component: name,
  permissionCode: code,
  language: name,
});

/** The titles of a fresh installation: pages of lamps and poles "manage" their family, those of assets name it. */
function familyPage(name: FamilyPageName): MenuSeed {
  const { family, icon } = familyPages[name];
  const title = `${namesIn('zh-CN').family(family)}${name.startsWith('asset/') ? '' : '管理'}`;
  return page(name, title, icon, 'device.query', deviceButtons);
}

/** The page of one thing: a route without a menu entry. */
export const detail = (
  name: string,
  title: string,
  icon: string,
  { url, component, code, language = component }: DetailSeed,
): MenuSeed => ({ type: 'non-menu', name, title, icon, url, component, permissionCode: code, language });

/** A page and its buttons; the first is "view" with the page's own code, so that a role can hold a page alone. */
export function page(
  component: string,
  title: string,
  icon: string,
  code: Permission,
  buttons: readonly ButtonSeed[],
  details: readonly MenuSeed[] = [],
): MenuSeed {
  const name = component.replaceAll('/', '-');
  return {
    type: 'menu2',
    name,
    title,
    icon,
    url: `/${component}`,
    component,
    permissionCode: code,
    language: component,
    children: [
      ...[button('view', '查看', code), ...buttons].map((entry): MenuSeed => ({
        type: 'button',
        name: `${name}-${entry.verb}`,
        title: entry.title,
        permissionCode: entry.code,
        language: `button/${entry.verb}`,
      })),
      ...details,
    ],
  };
}
