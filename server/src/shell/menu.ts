import { detail, inSection, page, type WingMenu } from '../people/menus/index.ts';

export const shellMenu: WingMenu = () => [
  inSection('system', 100, page('system/health', '系统健康', 'chart', 'system.health', [])),
  inSection(
    'system',
    110,
    page(
      'system/base-maps',
      '底图设置',
      'map',
      'site.maps',
      [],
      [detail('maptest', '地图服务测试', 'map', { url: '/maptest', component: 'maptest', code: 'site.maps' })],
    ),
  ),
];
