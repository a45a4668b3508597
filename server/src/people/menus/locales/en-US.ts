import type { MenuTexts } from '../texts.ts';

const enUS: MenuTexts = {
  root: 'Async route configuration',
  types: { menu1: 'First-level menu', menu2: 'Second- or third-level menu', 'menu2-sp': 'Second-level menu with a third level', 'non-menu': 'Page without menu entry', button: 'Button' },
  added: 'Node added',
  updated: 'Node updated',
  deleted: 'Node deleted',
  typeRequired: 'Please choose the type of this node',
  titleRequired: 'Please enter the title of the route',
  nameRequired: 'Please enter the name of the route',
  nameChinese: 'Please enter a valid route name without Chinese characters.',
  urlRequired: 'Please enter the path of the route',
  urlChinese: 'Please enter a valid route path without Chinese characters.',
  urlSlash: 'The path of a first-level route must begin with a slash',
  componentRequired: 'Please enter the component of the route',
  componentChinese: 'Please enter a valid component path without Chinese characters.',
  codeRequired: 'Please choose the permission code of the button',
  codeUnknown: 'There is no such permission code; please choose one from the list',
};

export default enUS;
