import { button, inSection, page, type WingMenu } from '../people/menus/index.ts';

export const historyMenu: WingMenu = () => [
  inSection(
    'lamp',
    40,
    page('lamp/history', '历史曲线', 'curve', 'lamp.monitor', [button('export', '导出', 'device.export')]),
  ),
  inSection('system', 120, page('system/storage', '历史数据存储', 'storage', 'site.history', [])),
];
