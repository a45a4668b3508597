import { button, detail, inSection, page, type WingMenu } from '../people/menus/index.ts';

export const lightMenu: WingMenu = ({ demo }) => [
  inSection(
    'lamp',
    10,
    page(
      'lamp/monitor',
      '单灯监控',
      'map',
      'lamp.monitor',
      [
        button('control', '控制', 'lamp.control'),
        button('emergency', '应急控制', 'lamp.emergency'),
        button('schedule', '时间表设置', 'plan.publish'),
        // Ending the demo evening makes sense only where there is one.
        ...(demo ? [button('demo', '结束演示时间', 'demo.control')] : []),
      ],
      [
        detail('lamp-device', '路灯', 'lamp', {
          url: '/lamp/device/:id',
          component: 'lamp/device',
          code: 'lamp.monitor',
        }),
        detail('lamp-schedule', '时间表设置', 'clock', {
          url: '/lamp/schedule',
          component: 'lamp/schedule',
          code: 'plan.publish',
        }),
      ],
    ),
  ),
  inSection(
    'lamp',
    20,
    page(
      'lamp/commands',
      '控制任务',
      'list',
      'lamp.monitor',
      [],
      [
        detail('lamp-command', '任务', 'list', {
          url: '/lamp/command/:id',
          component: 'lamp/command',
          code: 'lamp.monitor',
        }),
      ],
    ),
  ),
  inSection('lamp', 30, page('lamp/approvals', '控制审批', 'shield', 'lamp.approve', [])),
  inSection(
    'lamp',
    42,
    page(
      'lamp/templates',
      '工作参数模板',
      'sliders',
      'plan.query',
      [button('edit', '编辑模板', 'plan.template'), button('publish', '发布模板', 'plan.publish')],
      [
        detail('lamp-template', '工作参数模板', 'sliders', {
          url: '/lamp/template/:id',
          component: 'lamp/template',
          code: 'plan.query',
        }),
      ],
    ),
  ),
  inSection(
    'lamp',
    44,
    page(
      'lamp/schemes',
      '节能方案',
      'moon',
      'plan.query',
      [button('edit', '编辑方案', 'plan.edit'), button('publish', '发布方案', 'plan.publish')],
      [
        detail('lamp-scheme', '节能方案', 'moon', {
          url: '/lamp/scheme/:id',
          component: 'lamp/scheme',
          code: 'plan.query',
        }),
      ],
    ),
  ),
  inSection(
    'lamp',
    45,
    page(
      'lamp/publications',
      '方案发布',
      'upload',
      'plan.query',
      [
        button('publish', '发布', 'plan.publish'),
        button('resume', '继续发布', 'plan.publish'),
        button('halt', '暂停发布', 'plan.publish'),
        button('revert', '撤回发布', 'plan.publish'),
        button('cancel', '取消发布', 'plan.publish'),
        button('decide', '审批', 'lamp.approve'),
        button('export', '导出', 'plan.query'),
      ],
      [
        detail('lamp-publication', '发布', 'upload', {
          url: '/lamp/publication/:id',
          component: 'lamp/publication',
          code: 'plan.query',
        }),
        detail('lamp-publish', '发布方案', 'upload', {
          url: '/lamp/publish',
          component: 'lamp/publish',
          code: 'plan.publish',
        }),
      ],
    ),
  ),
  inSection('lamp', 46, page('lamp/rows', '灯序', 'list', 'plan.query', [button('edit', '编辑', 'plan.edit')])),
  inSection(
    'lamp',
    47,
    page('lamp/exceptions', '临时例外', 'calendar', 'plan.query', [
      button('make', '设置临时例外', 'plan.exception'),
      button('cancel', '取消例外', 'plan.exception'),
      button('decide', '审批', 'lamp.approve'),
      button('export', '导出', 'plan.query'),
    ]),
  ),
  inSection(
    'lamp',
    48,
    page(
      'lamp/nights',
      '每晚核验',
      'checklist',
      'plan.query',
      [button('export', '导出', 'plan.query')],
      [
        detail('lamp-night', '一晚核验', 'checklist', {
          url: '/lamp/night/:day',
          component: 'lamp/night',
          code: 'plan.query',
        }),
      ],
    ),
  ),
  inSection('lamp', 50, page('lamp/polls', '巡测', 'poll', 'lamp.monitor', [])),
  inSection('system', 80, page('system/command-policy', '命令规则', 'sliders', 'site.commands', [])),
];
