import { button, detail, familiesOf, inSection, page, type WingMenu } from '../people/menus/index.ts';

const recordButtons = [
  button('add', '新增', 'record.add'),
  button('edit', '编辑', 'record.edit'),
  button('del', '删除', 'record.del'),
];

export const registerMenu: WingMenu = () => [
  inSection('lamp', 60, ...familiesOf('lamp')),
  inSection('pole', 10, ...familiesOf('pole')),
  inSection(
    'pole',
    20,
    detail('pole-page', '灯杆', 'pole', {
      url: '/pole/:id',
      component: 'pole',
      code: 'device.query',
      language: 'pole/page',
    }),
  ),
  inSection('asset', 10, ...familiesOf('asset')),
  inSection('asset', 20, page('asset/map', '设备地图', 'map', 'device.query', [button('edit', '编辑', 'device.edit')])),
  inSection(
    'asset',
    30,
    page('asset/topology', '供电与通信', 'bolt', 'device.query', [button('edit', '编辑', 'device.edit')]),
  ),
  inSection(
    'asset',
    40,
    page('asset/statistics', '资产统计', 'chart', 'device.query', [button('export', '导出', 'device.export')]),
  ),
  inSection('asset', 80, page('asset/imports', '导入', 'enter', 'device.import', [])),
  inSection('asset', 90, page('asset/work-areas', '项目', 'building', 'record.query', recordButtons)),
  inSection('asset', 100, page('asset/roads', '道路', 'road', 'record.query', recordButtons)),
  inSection('asset', 110, page('asset/loops', '回路', 'circuit', 'record.query', recordButtons)),
  inSection('asset', 120, page('asset/groups', '设备分组', 'group', 'record.query', recordButtons)),
  inSection('asset', 130, page('asset/channels', '通道', 'channel', 'record.query', recordButtons)),
  inSection('asset', 140, page('asset/dictionaries', '字典', 'document', 'record.query', recordButtons)),
  inSection('asset', 150, page('asset/dictionary-items', '字典项', 'tag', 'record.query', recordButtons)),
  inSection(
    'asset',
    160,
    detail('device-page', '设备', 'controller', {
      url: '/device/:id',
      component: 'device',
      code: 'device.query',
      language: 'device/page',
    }),
  ),
];
