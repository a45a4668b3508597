import { addPastCommand, addWaitingCommand, type PastCommand } from '../../light/commands/index.ts';
import type { OperationEntry } from '../../platform/http/index.ts';
import type { Transaction } from '../../platform/db/index.ts';
import type { CityLamp } from './office.store.ts';
import { people, type Username } from './people-of-the-city.ts';
import type { PeopleIds } from './people.ts';
import { clockAgo, onDuty, onDutyNow, workedDaysAgo, type Calendar, type Shift } from './shifts.ts';

/** What was commanded in the last weeks, and one command that waits for a second person. */

export interface CommandParts {
  readonly calendar: Calendar;
  readonly ids: PeopleIds;
  readonly lamps: readonly CityLamp[];
  /** Ids of the lamps that the park's management may command. */
  readonly parkLampIds: ReadonlySet<number>;
  readonly shifts: readonly Shift[];
}
export interface GivenCommands {
  readonly entries: readonly OperationEntry[];
  /** The command that somebody looks at: every lamp of it is proven. */
  readonly provenId: number | null;
  readonly waitingId: number | null;
}

type Outcome = 'confirmed' | 'refused' | 'silent' | 'cancelled' | 'expired';
interface Told {
  /** Or the last working day before of who gave or approved it. */
  readonly daysAgo: number;
  readonly at: string;
  readonly by: Username | 'onDuty';
  readonly command: 'on' | 'off' | 'dim' | 'read';
  readonly level?: number;
  readonly lane?: 'emergency' | 'manual';
  readonly reason?: string;
  /** Which road it went to, by its place among those of the class. */
  readonly road: readonly [roadClass: string, place: number];
  readonly most?: number;
  /** How many of the first lamps did not do it, and how. */
  readonly missed?: readonly [count: number, outcome: Outcome];
  readonly approved?: readonly [approved: boolean, reason: string];
  readonly lapsed?: boolean;
  readonly cancelled?: string;
  /** The state of its lamps held for so many hours. */
  readonly hours?: number;
}

const told: readonly Told[] = [
  {
    daysAgo: 26,
    at: '22:40',
    by: 'onDuty',
    command: 'off',
    reason: '路面抢修，断电作业',
    road: ['branch', 0],
    hours: 3,
  },
  {
    daysAgo: 23,
    at: '19:50',
    by: 'zhao.gang',
    command: 'on',
    reason: '更换灯具后试灯',
    road: ['secondary', 0],
    most: 2,
    hours: 1,
  },
  {
    daysAgo: 20,
    at: '21:30',
    by: 'he.zhiqiang',
    command: 'on',
    lane: 'emergency',
    reason: '交通事故现场照明',
    road: ['arterial', 0],
    most: 12,
    hours: 2,
  },
  {
    daysAgo: 17,
    at: '22:05',
    by: 'onDuty',
    command: 'off',
    reason: '配合箱变检修，整路停电',
    road: ['arterial', 1],
    approved: [true, '检修单已核对'],
    missed: [2, 'silent'],
    hours: 4,
  },
  {
    daysAgo: 13,
    at: '20:50',
    by: 'onDuty',
    command: 'off',
    reason: '夜景拍摄',
    road: ['arterial', 0],
    approved: [false, '主干道不得整路关灯，请改用临时例外调光'],
    missed: [999, 'cancelled'],
  },
  {
    daysAgo: 9,
    at: '23:10',
    by: 'onDuty',
    command: 'dim',
    level: 30,
    reason: '道路封闭施工',
    road: ['secondary', 1],
    missed: [6, 'cancelled'],
    cancelled: '施工取消',
    hours: 5,
  },
  {
    daysAgo: 7,
    at: '21:15',
    by: 'onDuty',
    command: 'off',
    reason: '居民反映灯光扰民',
    road: ['secondary', 0],
    lapsed: true,
    missed: [999, 'expired'],
  },
  {
    daysAgo: 5,
    at: '20:20',
    by: 'lin.qing',
    command: 'on',
    reason: '公园夜跑活动',
    road: ['park', 0],
    most: 8,
    hours: 2,
  },
  {
    daysAgo: 4,
    at: '22:30',
    by: 'onDuty',
    command: 'dim',
    level: 60,
    reason: '大雾天气后恢复，逐级调光',
    road: ['branch', 1],
    missed: [4, 'refused'],
    hours: 3,
  },
  {
    daysAgo: 2,
    at: '19:55',
    by: 'zhao.gang',
    command: 'off',
    reason: '更换驱动电源',
    road: ['branch', 2],
    most: 1,
    hours: 1,
  },
  {
    daysAgo: 1,
    at: '20:15',
    by: 'onDuty',
    command: 'dim',
    level: 80,
    reason: '学校晚自习放学时段加亮',
    road: ['secondary', 0],
    most: 24,
    hours: 2,
  },
];

/** The control room asks one road each evening. */
const patrolDays = 14;
const patrolLamps = 16;
const patrols: readonly Told[] = Array.from({ length: patrolDays }, (_, index): Told => ({
  daysAgo: index + 1,
  at: '21:50',
  by: 'onDuty',
  command: 'read',
  road: [(['branch', 'secondary', 'arterial'] as const)[index % 3] ?? 'branch', Math.floor(index / 3)],
  most: patrolLamps,
  ...(index % 4 === 1 ? { missed: [1, 'silent'] as const } : {}),
}));

/** Lamps that the waiting command would darken, at most. */
const waitingLamps = 240;
/** How long it waits: through the first night that somebody looks at the city. */
const waitingMs = 12 * 3_600_000;
const hourMs = 3_600_000;

/** Lamps of each road of a class, the roads with most lamps first. */
function roadsOf(lamps: readonly CityLamp[], roadClass: string): (readonly CityLamp[])[] {
  const roads = Map.groupBy(
    lamps.filter((lamp) => lamp.roadClass === roadClass),
    ({ roadId }) => roadId,
  );
  return [...roads.values()].toSorted((a, b) => b.length - a.length || (a[0]?.id ?? 0) - (b[0]?.id ?? 0));
}

/** Who decides about commands that wait for a second person. */
const approver = 'he.zhiqiang';
const addressOf = (username: Username): string => people.find((one) => one.username === username)?.address ?? '';
const levelAfter = ({ command, level = 100 }: Told): number =>
  command === 'off' ? 0 : command === 'dim' ? level : 100;

/** Writes the commands in the order in which they were given; returns what the operation log says of them. */
export async function seedCommands(tx: Transaction, parts: CommandParts): Promise<GivenCommands> {
  const { calendar, ids, parkLampIds } = parts;
  const entries: OperationEntry[] = [];
  let provenId: number | null = null;
  const inOrder = [...told, ...patrols]
    .map((one) => onWorkingDay(one, calendar))
    .toSorted((a, b) => timeOf(a, calendar) - timeOf(b, calendar));
  for (const one of inOrder) {
    const lamps = one.by === 'lin.qing' ? parts.lamps.filter(({ id }) => parkLampIds.has(id)) : parts.lamps;
    const roads = roadsOf(lamps, one.road[0]);
    const road = roads[one.road[1] % Math.max(1, roads.length)] ?? [];
    if (road.length === 0) continue;
    const actor = one.by === 'onDuty' ? onDuty(calendar, one.daysAgo) : one.by;
    const past = pastOf(one, road.slice(0, one.most ?? road.length), actor, parts);
    const id = await addPastCommand(tx, past);
    if (past.items.every(({ state }) => state === 'confirmed') && one.command === 'dim') provenId = id;
    entries.push(...entriesOf(id, one, past, ids));
  }
  const waiting = await seedWaiting(tx, parts);
  return {
    entries: waiting ? [...entries, waiting.entry] : entries,
    provenId,
    waitingId: waiting?.id ?? null,
  };
}

/** Nobody commands or approves on a day on which he did not come. */
function onWorkingDay(one: Told, calendar: Calendar): Told {
  const who = one.approved ? approver : one.by;
  return who === 'onDuty' ? one : { ...one, daysAgo: workedDaysAgo(calendar, who, one.daysAgo) };
}

const timeOf = ({ daysAgo, at }: Told, calendar: Calendar): number => clockAgo(calendar, daysAgo, at).getTime();

function pastOf(one: Told, lamps: readonly CityLamp[], actor: Username, { calendar, ids }: CommandParts): PastCommand {
  const at = clockAgo(calendar, one.daysAgo, one.at);
  const [missed, outcome] = one.missed ?? [0, 'silent' as const];
  const level = levelAfter(one);
  const [first] = lamps;
  const decidedAt = new Date(at.getTime() + 4 * 60_000);
  const states = { refused: 'failed', silent: 'timedOut', cancelled: 'cancelled', expired: 'expired' } as const;
  const errors = {
    refused: 'refused',
    silent: 'noAnswer',
    cancelled: one.approved?.[0] === false ? 'approvalRefused' : null,
    expired: 'approvalExpired',
  } as const;
  return {
    command: one.command,
    args: one.command === 'dim' ? { level } : {},
    lane: one.command === 'read' ? 'read' : (one.lane ?? 'manual'),
    at,
    until: one.command === 'read' ? null : new Date(at.getTime() + (one.hours ?? 1) * hourMs),
    reason: one.reason ?? null,
    actor: { id: ids[actor], name: actor },
    scope:
      one.most === undefined && first ? { roadId: first.roadId, names: [first.roadName] } : { devices: lamps.length },
    darkens: level === 0 && one.command !== 'read' ? lamps.length : 0,
    items: lamps.map((lamp, index) => {
      const item = { deviceId: lamp.id, viaId: lamp.viaId };
      if (index < missed && outcome !== 'confirmed')
        return { ...item, state: states[outcome], error: errors[outcome], proof: null };
      const proof = { level, power: Math.round(lamp.watts * (level / 100) * 10) / 10 };
      return { ...item, state: 'confirmed', error: null, proof };
    }),
    ...(one.approved
      ? {
          approval: {
            approved: one.approved[0],
            by: approver,
            byId: ids[approver],
            at: decidedAt,
            reason: one.approved[1],
          },
        }
      : {}),
    ...(one.lapsed ? { lapsed: true } : {}),
    ...(one.cancelled === undefined ? {} : { cancelled: { by: actor, at: decidedAt, reason: one.cancelled } }),
  };
}

/** The rows of the operation log that such commands write. */
function entriesOf(id: number, one: Told, past: PastCommand, ids: PeopleIds): OperationEntry[] {
  const actor = past.actor.name as Username;
  const { command, args, scope, reason } = past;
  const lane = past.lane === 'read' ? {} : { lane: past.lane };
  const own = { accountId: past.actor.id, username: actor, ip: addressOf(actor) };
  const entries: OperationEntry[] = [
    {
      ...own,
      uri: 'POST /api/v1/commands',
      at: past.at,
      params: { body: { command, args, scope, ...lane, ...(reason === null ? {} : { reason }) } },
      message: 'command.create',
      status: 201,
    },
  ];
  if (past.approval)
    entries.push({
      accountId: ids[approver],
      username: approver,
      ip: addressOf(approver),
      uri: `POST /api/v1/commands/${id}/approval`,
      at: past.approval.at,
      params: { id, askedBy: actor, command, args, devices: past.items.length, reason: past.approval.reason },
      message: past.approval.approved ? 'command.approve' : 'command.refuse',
      status: 200,
    });
  if (past.cancelled)
    entries.push({
      ...own,
      uri: `POST /api/v1/commands/${id}/cancel`,
      at: past.cancelled.at,
      params: { params: { id }, body: { reason: one.cancelled } },
      message: 'command.cancel',
      status: 200,
    });
  return entries;
}

/** Asked a few minutes ago by the operator on duty: the branch roads but for the largest. */
async function seedWaiting(
  tx: Transaction,
  { calendar, ids, lamps, shifts }: CommandParts,
): Promise<{ readonly id: number; readonly entry: OperationEntry } | undefined> {
  const [, ...others] = roadsOf(lamps, 'branch');
  const chosen = others.flat().slice(0, waitingLamps);
  if (chosen.length === 0) return undefined;
  const actor = onDutyNow(shifts);
  const at = new Date(calendar.now.getTime() - 3 * 60_000);
  const expiresAt = new Date(calendar.now.getTime() + waitingMs);
  const reason = '支路电缆检修，须整片停灯，请复核';
  const given = {
    command: 'off',
    args: {},
    lane: 'manual' as const,
    at,
    until: new Date(calendar.now.getTime() + waitingMs),
    reason,
    actor: { id: ids[actor], name: actor },
    scope: { devices: chosen.length },
    darkens: chosen.length,
  };
  const id = await addWaitingCommand(tx, {
    ...given,
    expiresAt,
    items: chosen.map((lamp) => ({ deviceId: lamp.id, viaId: lamp.viaId })),
  });
  return {
    id,
    entry: {
      accountId: ids[actor],
      username: actor,
      ip: addressOf(actor),
      uri: 'POST /api/v1/commands',
      at,
      params: { body: { command: 'off', deviceIds: chosen.map(({ id: lamp }) => lamp), lane: 'manual', reason } },
      message: 'command.create',
      status: 201,
    },
  };
}
