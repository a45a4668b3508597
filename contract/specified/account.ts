import { Type } from 'typebox';
import { Nullable, specified } from '../route.ts';

/** The signed-in account and its rights (specified 2.2, 3.14). */

export const MenuEntry = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  icon: Nullable(Type.String()),
  title: Type.String(),
  url: Nullable(Type.String()),
  component: Nullable(Type.String()),
  parentId: Type.Integer(),
  type: Type.Union([
    Type.Literal('menu1'),
    Type.Literal('menu2'),
    Type.Literal('menu2-sp'),
    Type.Literal('non-menu'),
    Type.Literal('button'),
  ]),
  permissionCode: Nullable(Type.String()),
  orderby: Type.Integer(),
  language: Nullable(Type.String()),
});

export const getMenus = specified({
  method: 'GET',
  path: '/api/user/cscpMenus',
  aliases: ['/api/system/cscpMenus'],
  tag: 'account',
  access: 'session',
  summary: 'The flat list of menu and button entries of the current account. None: 403.',
  reply: Type.Array(MenuEntry),
});

export const CurrentUser = Type.Object({
  id: Type.Integer(),
  userId: Type.Integer(),
  username: Type.String(),
  nickname: Nullable(Type.String()),
  familyName: Nullable(Type.String()),
  name: Nullable(Type.String()),
  mobile: Nullable(Type.String()),
  email: Nullable(Type.String()),
  imgPath: Nullable(Type.String()),
  discTitle: Nullable(Type.String()),
  discDetail: Nullable(Type.String()),
  treeLevel: Type.Integer(),
  roleIds: Nullable(Type.String()),
  roleNames: Nullable(Type.String()),
  createTime: Type.String(),
  updateTime: Nullable(Type.String()),
  registerTime: Type.String(),
  lastLogin: Nullable(Type.String()),
});

export const getCurrentUser = specified({
  method: 'GET',
  path: '/api/tbUsers/tbCurrentUser',
  aliases: ['/api/system/cscpCurrentUserDetails'],
  tag: 'account',
  access: 'session',
  summary: 'The bare detail of the signed-in account.',
  reply: CurrentUser,
});

export const getWorkAreaOptions = specified({
  method: 'GET',
  path: '/api/tWorkAreas/getSeletcList',
  tag: 'account',
  access: 'session',
  summary: 'The work areas (projects) the account may see.',
  reply: Type.Object({
    success: Type.Boolean(),
    msg: Type.String(),
    data: Type.Array(Type.Object({ value: Type.Integer(), label: Type.String() })),
  }),
});
