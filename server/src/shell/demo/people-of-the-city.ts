import type { Permission } from '../../../../contract/permissions.ts';

/** Who works in the demo city: declared as data. `people.ts` makes accounts of it. */

const looking = ['lamp.monitor', 'plan.query', 'device.query', 'record.query'] as const satisfies readonly Permission[];

export type RoleKey = keyof typeof roles;
interface DeclaredRole {
  readonly name: string;
  readonly icon: string;
  readonly extent: string;
  readonly permissions: readonly Permission[];
}

export const roles = {
  accounts: {
    name: '账号管理员',
    icon: 'shield',
    extent: '账号、角色、组织和日志，不控制路灯',
    permissions: [
      ...(['query', 'add', 'edit', 'del'] as const).flatMap((verb) =>
        (['user', 'role', 'wg'] as const).map((subject): Permission => `cscp.${subject}.${verb}`),
      ),
      'cscp.org.query',
      'cscp.org.edit',
      'cscp.logging.login',
      'cscp.logging.operation',
      'system.health',
    ],
  },
  chief: {
    name: '值班长',
    icon: 'flag',
    extent: '值班、应急控制，审批大面积关灯',
    permissions: [...looking, 'lamp.control', 'lamp.emergency', 'lamp.approve', 'plan.exception', 'device.export'],
  },
  duty: {
    name: '值班员',
    icon: 'lamp',
    extent: '监视和控制路灯，不改方案和档案',
    permissions: [...looking, 'lamp.control', 'device.export'],
  },
  plans: {
    name: '方案工程师',
    icon: 'moon',
    extent: '编制和发布节能方案',
    permissions: [...looking, 'plan.edit', 'plan.publish', 'plan.exception', 'plan.template', 'device.export'],
  },
  crew: {
    name: '抢修班组',
    icon: 'tool',
    extent: '现场开关单灯，维护设备照片',
    permissions: ['lamp.monitor', 'lamp.control', 'device.query', 'device.edit', 'record.query'],
  },
  assets: {
    name: '资产管理员',
    icon: 'layers',
    extent: '设备和基础档案的新增、修改、导入',
    permissions: [
      'device.query',
      'device.add',
      'device.edit',
      'device.del',
      'device.bind',
      'device.import',
      'device.export',
      'record.query',
      'record.add',
      'record.edit',
      'record.del',
    ],
  },
  energy: {
    name: '能耗审计',
    icon: 'leaf',
    extent: '查看用电、方案和每晚核验，可导出',
    permissions: [...looking, 'device.export'],
  },
  leader: { name: '领导查看', icon: 'home', extent: '只看，不操作', permissions: looking },
  park: {
    name: '园区管理',
    icon: 'environment',
    extent: '只看绑定给园区的灯，可开关',
    permissions: ['lamp.monitor', 'lamp.control', 'device.query'],
  },
  integrator: {
    name: '设备集成商',
    icon: 'bolt',
    extent: '接入和认领设备，不控制路灯',
    permissions: [
      'device.query',
      'device.add',
      'device.edit',
      'device.provision',
      'device.credentials',
      'record.query',
    ],
  },
} as const satisfies Readonly<Record<string, DeclaredRole>>;

/** Days of the week on which somebody signs in, 0 is Sunday; `even` and `odd`: every second day. */
type Days = readonly number[] | 'even' | 'odd';
const workdays = [1, 2, 3, 4, 5];

export interface DeclaredPerson {
  readonly username: string;
  readonly familyName: string;
  readonly givenName: string;
  readonly title: string;
  readonly role: RoleKey;
  /** A number of the account levels: 0 is an administrator. */
  readonly level: number;
  /** Address of the desk or the phone that the person signs in from. */
  readonly address: string;
  /** When the person comes and goes, by the city's clock; going before coming is the next morning. */
  readonly shift: { readonly days: Days; readonly from: string; readonly to: string };
  /** Days ago on which the person left: the account is disabled. */
  readonly leftDaysAgo?: number;
}

/**
 * Ten people and one who has left. Only the one who has left may approve: an account that nobody can sign in to must
 * not be waited for as the second person.
 */
export const people = [
  {
    username: 'wang.jianguo',
    familyName: '王',
    givenName: '建国',
    title: '账号管理员',
    role: 'accounts',
    level: 1,
    address: '10.20.1.11',
    shift: { days: [1, 3, 5], from: '09:10', to: '17:30' },
  },
  {
    username: 'li.wei',
    familyName: '李',
    givenName: '伟',
    title: '夜班值班员',
    role: 'duty',
    level: 3,
    address: '10.20.1.21',
    shift: { days: 'even', from: '17:42', to: '06:05' },
  },
  {
    username: 'zhang.min',
    familyName: '张',
    givenName: '敏',
    title: '夜班值班员',
    role: 'duty',
    level: 3,
    address: '10.20.1.22',
    shift: { days: 'odd', from: '17:38', to: '06:10' },
  },
  {
    username: 'he.zhiqiang',
    familyName: '何',
    givenName: '志强',
    title: '值班长（已调离）',
    role: 'chief',
    level: 2,
    address: '10.20.1.20',
    shift: { days: workdays, from: '17:20', to: '23:40' },
    leftDaysAgo: 6,
  },
  {
    username: 'chen.xiao',
    familyName: '陈',
    givenName: '晓',
    title: '方案工程师',
    role: 'plans',
    level: 2,
    address: '10.20.1.31',
    shift: { days: workdays, from: '08:55', to: '17:45' },
  },
  {
    username: 'zhao.gang',
    familyName: '赵',
    givenName: '刚',
    title: '抢修班长',
    role: 'crew',
    level: 4,
    address: '10.66.8.14',
    shift: { days: [0, 2, 4, 6], from: '19:30', to: '22:50' },
  },
  {
    username: 'zhou.ting',
    familyName: '周',
    givenName: '婷',
    title: '资产管理员',
    role: 'assets',
    level: 3,
    address: '10.20.1.32',
    shift: { days: workdays, from: '08:40', to: '17:30' },
  },
  {
    username: 'wu.fang',
    familyName: '吴',
    givenName: '芳',
    title: '能耗审计',
    role: 'energy',
    level: 4,
    address: '10.20.3.7',
    shift: { days: [1], from: '10:05', to: '11:50' },
  },
  {
    username: 'zheng.hao',
    familyName: '郑',
    givenName: '浩',
    title: '管理处处长',
    role: 'leader',
    level: 2,
    address: '10.20.1.2',
    shift: { days: [1, 4], from: '08:20', to: '08:50' },
  },
  {
    username: 'lin.qing',
    familyName: '林',
    givenName: '青',
    title: '滨江公园管理',
    role: 'park',
    level: 5,
    address: '10.70.2.9',
    shift: { days: [5, 6], from: '18:30', to: '21:15' },
  },
  {
    username: 'xu.peng',
    familyName: '徐',
    givenName: '鹏',
    title: '江城建设项目经理',
    role: 'integrator',
    level: 5,
    address: '10.80.5.40',
    shift: { days: [2, 3], from: '13:30', to: '16:40' },
  },
] as const satisfies readonly DeclaredPerson[];
export type Username = (typeof people)[number]['username'];

/** A work group is in the city's one work area: its members see that. */
export interface DeclaredGroup {
  readonly name: string;
  readonly description: string;
  readonly members: readonly Username[];
}

interface DeclaredOrganisation {
  readonly name: string;
  readonly description?: string;
  readonly people?: readonly Username[];
  readonly groups?: readonly DeclaredGroup[];
  readonly children?: readonly DeclaredOrganisation[];
}

/**
 * Three levels. The park's management has no group: it sees the devices that are bound to its account, nothing else.
 */
export const organisation: DeclaredOrganisation = {
  name: '滨江市路灯管理处',
  description: '全市道路照明的建设、运行和维护',
  people: ['zheng.hao', 'wang.jianguo'],
  children: [
    {
      name: '运行管理科',
      description: '值班、抢修和现场作业',
      children: [
        {
          name: '监控中心',
          people: ['li.wei', 'zhang.min', 'he.zhiqiang'],
          groups: [{ name: '监控中心值班组', description: '每晚两人轮班', members: ['li.wei', 'zhang.min'] }],
        },
        {
          name: '抢修班',
          people: ['zhao.gang'],
          groups: [
            { name: '江北抢修组', description: '江北片区道路', members: ['zhao.gang'] },
            { name: '江南抢修组', description: '江南片区道路和跨江大桥', members: ['zhao.gang'] },
          ],
        },
      ],
    },
    {
      name: '技术与资产科',
      description: '方案、档案和能耗',
      children: [
        {
          name: '方案与能耗',
          people: ['chen.xiao', 'wu.fang'],
          groups: [{ name: '方案与能耗组', description: '节能方案编制和用电核查', members: ['chen.xiao', 'wu.fang'] }],
        },
        {
          name: '资产档案',
          people: ['zhou.ting'],
          groups: [{ name: '资产档案组', description: '设备台账', members: ['zhou.ting'] }],
        },
      ],
    },
    {
      name: '合作单位',
      description: '园区和施工单位，按授权查看',
      children: [
        {
          name: '江城建设集团',
          people: ['xu.peng'],
          groups: [{ name: '江城建设接入组', description: '新建设备接入调试', members: ['xu.peng'] }],
        },
        { name: '滨江公园管理所', people: ['lin.qing'] },
      ],
    },
  ],
};
