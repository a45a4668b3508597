import { namesIn } from '../../../../catalogue/index.ts';
import { familyPageNames, familyPages, type FamilyPageName } from '../../../../contract/family-pages.ts';
import type { Permission } from '../../../../contract/permissions.ts';
import type { MenuSeed } from '../installation/index.ts';

/**
 * The menu of a fresh installation (specified 2.13): an entry stands here when its page works. `language` is the
 * console's key (area `menu`), the component names its screen. New entries of later versions reach installations that
 * exist.
 */
export function builtInMenu({ demo }: { demo: boolean }): readonly MenuSeed[] {
  return [
    section('lamp', '智慧路灯', 'lamp', [
      page(
        'lamp/monitor',
        '单灯监控',
        'map',
        'lamp.monitor',
        [
          button('control', '控制', 'lamp.control'),
          button('emergency', '应急控制', 'lamp.emergency'),
          // Ending the demo evening makes sense only where there is one.
          ...(demo ? [button('demo', '结束演示时间', 'demo.control')] : []),
        ],
        [
          {
            type: 'non-menu',
            name: 'lamp-device',
            title: '路灯',
            icon: 'lamp',
            url: '/lamp/device/:id',
            component: 'lamp/device',
            permissionCode: 'lamp.monitor',
            language: 'lamp/device',
          },
        ],
      ),
      page(
        'lamp/commands',
        '控制任务',
        'list',
        'lamp.monitor',
        [],
        [
          {
            type: 'non-menu',
            name: 'lamp-command',
            title: '任务',
            icon: 'list',
            url: '/lamp/command/:id',
            component: 'lamp/command',
            permissionCode: 'lamp.monitor',
            language: 'lamp/command',
          },
        ],
      ),
      page('lamp/approvals', '控制审批', 'shield', 'lamp.approve', []),
      page('lamp/history', '历史曲线', 'curve', 'lamp.monitor', [button('export', '导出', 'device.export')]),
      page('lamp/polls', '巡测', 'target', 'lamp.monitor', []),
      ...familiesOf('lamp'),
    ]),
    section('pole', '智慧灯杆', 'pole', [
      ...familiesOf('pole'),
      {
        type: 'non-menu',
        name: 'pole-page',
        title: '灯杆',
        icon: 'pole',
        url: '/pole/:id',
        component: 'pole',
        permissionCode: 'device.query',
        language: 'pole/page',
      },
    ]),
    section('asset', '资产', 'layers', [
      ...familiesOf('asset'),
      page('asset/map', '设备地图', 'map', 'device.query', [button('edit', '编辑', 'device.edit')]),
      page('asset/topology', '供电与通信', 'bolt', 'device.query', [button('edit', '编辑', 'device.edit')]),
      page('asset/statistics', '资产统计', 'chart', 'device.query', [button('export', '导出', 'device.export')]),
      page('asset/connections', '连接日志', 'clock', 'device.query', [button('export', '导出', 'device.export')]),
      page('asset/connect', '接入设备', 'plug', 'device.credentials', []),
      page('asset/inbox', '待接入设备', 'inbox', 'device.provision', []),
      page('asset/imports', '导入', 'download', 'device.import', []),
      page('asset/work-areas', '项目', 'target', 'record.query', recordButtons),
      page('asset/roads', '道路', 'road', 'record.query', recordButtons),
      page('asset/loops', '回路', 'plug', 'record.query', recordButtons),
      page('asset/groups', '设备分组', 'group', 'record.query', recordButtons),
      page('asset/channels', '通道', 'plug', 'record.query', recordButtons),
      page('asset/dictionaries', '字典', 'document', 'record.query', recordButtons),
      page('asset/dictionary-items', '字典项', 'tag', 'record.query', recordButtons),
      {
        type: 'non-menu',
        name: 'device-page',
        title: '设备',
        icon: 'controller',
        url: '/device/:id',
        component: 'device',
        permissionCode: 'device.query',
        language: 'device/page',
      },
    ]),
    section('system', '系统', 'settings', [
      builtIn(
        'user-management',
        '用户管理',
        'user',
        'cscp.user.query',
        [
          button('add', '新增', 'cscp.user.add'),
          button('edit', '编辑', 'cscp.user.edit'),
          button('del', '删除', 'cscp.user.del'),
          button('preview', '以此账号预览', 'account.preview'),
        ],
        [form('user-add', '新增用户', 'cscp.user.add'), form('user-edit', '编辑用户', 'cscp.user.edit')],
      ),
      builtIn(
        'role-management',
        '角色管理',
        'key',
        'cscp.role.query',
        [
          button('add', '新增', 'cscp.role.add'),
          button('edit', '编辑', 'cscp.role.edit'),
          button('del', '删除', 'cscp.role.del'),
        ],
        [form('role-add', '新增角色', 'cscp.role.add'), form('role-edit', '编辑角色', 'cscp.role.edit')],
      ),
      builtIn(
        'workgroup-management',
        '工作组管理',
        'group',
        'cscp.wg.query',
        [
          button('add', '新增', 'cscp.wg.add'),
          button('edit', '编辑', 'cscp.wg.edit'),
          button('del', '删除', 'cscp.wg.del'),
        ],
        [form('workgroup-add', '新增工作组', 'cscp.wg.add'), form('workgroup-edit', '编辑工作组', 'cscp.wg.edit')],
      ),
      builtIn('organization-management', '组织管理', 'layers', 'cscp.org.query', [
        button('edit', '编辑', 'cscp.org.edit'),
      ]),
      builtIn('logging-login', '登录日志', 'clock', 'cscp.logging.login', []),
      builtIn('logging-operation', '操作日志', 'list', 'cscp.logging.operation', []),
      builtIn('async-routes-config', '菜单配置', 'menu', 'cscp.sr', []),
      page('system/command-policy', '命令规则', 'sliders', 'site.commands', []),
      page('system/login-appearance', '登录页设置', 'screen', 'site.appearance', []),
      page('system/health', '系统健康', 'chart', 'system.health', []),
      page(
        'system/base-maps',
        '底图设置',
        'map',
        'site.maps',
        [],
        [
          {
            type: 'non-menu',
            name: 'maptest',
            title: '地图服务测试',
            icon: 'map',
            url: '/maptest',
            component: 'maptest',
            permissionCode: 'site.maps',
            language: 'maptest',
          },
        ],
      ),
      page('system/storage', '历史数据存储', 'layers', 'site.history', []),
    ]),
  ];
}

/** The pages of a section's device families. */
const familiesOf = (name: string): readonly MenuSeed[] =>
  familyPageNames.filter((one) => one.startsWith(`${name}/`)).map((one) => familyPage(one));

interface ButtonSeed {
  readonly verb: string;
  readonly title: string;
  readonly code: Permission;
}

const button = (verb: string, title: string, code: Permission): ButtonSeed => ({ verb, title, code });

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
const recordButtons = [
  button('add', '新增', 'record.add'),
  button('edit', '编辑', 'record.edit'),
  button('del', '删除', 'record.del'),
];

const languageOfSection: Readonly<Record<string, string>> = { asset: 'assets' };

const section = (name: string, title: string, icon: string, children: readonly MenuSeed[]): MenuSeed => ({
  type: 'menu1',
  name,
  title,
  icon,
  url: `/${name}`,
  component: 'layout',
  language: languageOfSection[name] ?? name,
  children,
});

/** A built-in page (specified 2.4): found by its route name, at an address of ours. */
function builtIn(
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
const form = (name: string, title: string, code: Permission): MenuSeed => ({
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

/** A page and its buttons; the first is "view" with the page's own code, so that a role can hold a page alone. */
function page(
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
