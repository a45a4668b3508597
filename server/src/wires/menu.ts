import { button, inSection, page, type WingMenu } from '../people/menus/index.ts';

export const wiresMenu: WingMenu = () => [
  inSection(
    'asset',
    50,
    page('asset/connections', '连接日志', 'clock', 'device.query', [button('export', '导出', 'device.export')]),
  ),
  inSection('asset', 60, page('asset/connect', '接入设备', 'link', 'device.credentials', [])),
  inSection('asset', 70, page('asset/inbox', '待接入设备', 'inbox', 'device.provision', [])),
];
