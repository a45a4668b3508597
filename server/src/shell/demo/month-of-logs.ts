import { addOperations, addSignIns, type SignInTry } from '../../desk/operation-log/index.ts';
import type { Transaction } from '../../platform/db/index.ts';
import type { OperationEntry } from '../../platform/http/index.ts';
import { people, type Username } from './people-of-the-city.ts';
import type { PeopleIds } from './people.ts';
import { clockAgo, monthDays, workedDaysAgo, type Calendar, type Shift } from './shifts.ts';

/** What the two logs say of the last 30 days. */

interface MonthParts {
  readonly calendar: Calendar;
  readonly ids: PeopleIds;
  readonly shifts: readonly Shift[];
  /** What the other parts of the city's past say of themselves. */
  readonly entries: readonly OperationEntry[];
}
type PastTry = SignInTry & { readonly at: Date };

const minuteMs = 60_000;
const after = (at: Date, minutes: number): Date => new Date(at.getTime() + minutes * minuteMs);

/** When somebody signed in last; null: never in these days. */
export const lastOf = (shifts: readonly Shift[], username: Username): Date | null =>
  shifts.findLast(({ person }) => person.username === username)?.from ?? null;

/** Work that leaves nothing behind but its row: exports are files of some days. */
const routine: Partial<Record<Username, { readonly uri: string; readonly message: string; readonly params: object }>> =
  {
    'zhou.ting': {
      uri: 'POST /api/v1/device-exports',
      message: 'device.export',
      params: { body: { family: 'lamp-pole' } },
    },
    'wu.fang': { uri: 'POST /api/v1/plan-night-exports', message: 'plan.exportNight', params: {} },
    'chen.xiao': { uri: 'POST /api/v1/publication-exports', message: 'publication.export', params: {} },
    'wang.jianguo': { uri: 'POST /api/v1/me/confirm', message: 'session.confirm', params: {} },
  };

/** Tries that the rules refused: each shows what its role lacks. */
const refused: readonly {
  readonly daysAgo: number;
  readonly at: string;
  readonly by: Username;
  readonly uri: string;
  readonly message: string;
  readonly params: object;
}[] = [
  {
    daysAgo: 19,
    at: '18:40',
    by: 'li.wei',
    uri: 'POST /api/v1/commands',
    message: 'command.create missingPermission',
    params: { body: { command: 'on', lane: 'emergency' } },
  },
  {
    daysAgo: 11,
    at: '14:20',
    by: 'xu.peng',
    uri: 'POST /api/v1/commands',
    message: 'command.create missingPermission',
    params: { body: { command: 'read' } },
  },
];

/** Writes both logs in the order of time: the sealer binds their rows as they stand. */
export async function seedLogs(tx: Transaction, parts: MonthParts): Promise<void> {
  await addSignIns(tx, byTime(signIns(parts)));
  await addOperations(tx, byTime([...parts.entries, ...ownEntries(parts)]));
}

const byTime = <T extends { readonly at: Date }>(rows: readonly T[]): T[] =>
  rows.toSorted((a, b) => a.at.getTime() - b.at.getTime());

function signIns({ shifts, calendar }: MonthParts): PastTry[] {
  const tries = shifts.flatMap(({ person: { username, address }, from }, index): PastTry[] => {
    const one = { username, known: true, address } as const;
    // Some mistype their password before.
    return [
      ...(index % 17 === 5 ? [{ ...one, outcome: 'wrongPassword' as const, at: after(from, -1) }] : []),
      { ...one, outcome: 'signedIn', at: from },
    ];
  });
  const strangers = [24, 15, 3].map((daysAgo): PastTry => ({
    username: 'administrator',
    known: false,
    address: '203.0.113.77',
    outcome: 'wrongPassword',
    at: clockAgo(calendar, daysAgo, '03:12'),
  }));
  return [...tries, ...strangers].filter(({ at }) => at < calendar.now);
}

function ownEntries({ shifts, ids, calendar }: MonthParts): OperationEntry[] {
  const ends = shifts.flatMap(({ person: { username, address }, to }): OperationEntry[] =>
    to === null
      ? []
      : [
          {
            accountId: ids[username],
            username,
            ip: address,
            uri: 'POST /api/system/logout',
            at: to,
            params: null,
            message: 'session.end',
            status: 200,
          },
        ],
  );
  const usual = shifts.flatMap(({ person: { username, address }, from }, index): OperationEntry[] => {
    const work = routine[username];
    const at = after(from, 20 + (index % 40));
    return work && index % 3 === 0 && at < calendar.now
      ? [
          {
            accountId: ids[username],
            username,
            ip: address,
            at,
            status: work.message === 'session.confirm' ? 204 : 201,
            ...work,
          },
        ]
      : [];
  });
  const failed = refused
    .filter(({ daysAgo }) => daysAgo <= monthDays)
    .map(({ daysAgo, at, by, ...entry }): OperationEntry => ({
      accountId: ids[by],
      username: by,
      ip: people.find(({ username }) => username === by)?.address ?? '',
      at: clockAgo(calendar, workedDaysAgo(calendar, by, daysAgo), at),
      status: 403,
      ...entry,
    }));
  return [...ends, ...usual, ...failed];
}
