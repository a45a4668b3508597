import { builtIn, button, form, inSection, page, type WingMenu } from './menus/index.ts';

export const peopleMenu: WingMenu = () => [
  inSection(
    'system',
    10,
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
  ),
  inSection(
    'system',
    20,
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
  ),
  inSection(
    'system',
    30,
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
  ),
  inSection(
    'system',
    40,
    builtIn('organization-management', '组织管理', 'organisation', 'cscp.org.query', [
      button('edit', '编辑', 'cscp.org.edit'),
    ]),
  ),
  inSection('system', 50, builtIn('logging-login', '登录日志', 'clock', 'cscp.logging.login', [])),
  inSection('system', 60, builtIn('logging-operation', '操作日志', 'list', 'cscp.logging.operation', [])),
  inSection('system', 70, builtIn('async-routes-config', '菜单配置', 'menu', 'cscp.sr', [])),
  inSection('system', 90, page('system/login-appearance', '登录页设置', 'screen', 'site.appearance', [])),
];
