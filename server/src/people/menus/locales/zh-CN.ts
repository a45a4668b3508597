import type { MenuTexts } from '../texts.ts';

const zhCN: MenuTexts = {
  root: '异步路由配置',
  types: { menu1: '一级菜单', menu2: '二级或三级菜单', 'menu2-sp': '含三级菜单的二级菜单', 'non-menu': '非菜单页面', button: '按钮' },
  added: '添加节点成功！',
  updated: '更新节点成功！',
  deleted: '删除成功！',
  typeRequired: '请选择该节点的数据类型',
  titleRequired: '请填写路由标题',
  nameRequired: '请填写路由名',
  nameChinese: '请输入合法的路由名，不能包含中文。',
  urlRequired: '请填写路由访问路径',
  urlChinese: '请输入合法的路由路径，不能包含中文。',
  urlSlash: '一级路由的访问路径必须以“/”开头',
  componentRequired: '请填写路由对应的Vue组件',
  componentChinese: '请输入合法的组件路径，不能包含中文。',
  codeRequired: '请选择按钮的权限码',
  codeUnknown: '没有此权限码，请从列表中选择',
};

export default zhCN;
