import type { QueryOf, ReplyOf } from '../../../../contract/route.ts';
import {
  approvalOutcomes,
  commandLanes,
  commandStates,
  taskStates,
  type getCommand,
  type listCommands,
} from '../../../../contract/light/commands.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import { refuseFields, type Caller } from '../../platform/http/index.ts';
import { isOverdue, openStates, strengthOf, type Lane } from './commands.rules.ts';
import type { Sight } from './counts.store.ts';
import {
  countCommands,
  countItems,
  digestOf,
  findItems,
  findPage,
  isFiltered,
  type CommandFilter,
  type ItemFilter,
  type StoredCommand,
  type StoredItem,
} from './reading.store.ts';
import type { CommandLimits } from './settings.ts';
import { found, sightOf } from './sight.ts';

const exactUpTo = 10_000;
type Detail = ReplyOf<typeof getCommand>;
type Summary = Omit<Detail, 'items' | 'recordsTotal'>;

/** What became of commands: lists, funnels and the state of every device. */
export function createReading({
  db,
  clock,
  limits,
}: {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: () => Promise<CommandLimits>;
}) {
  /** By states alone it is told by what is counted already. */
  async function countOf({ id, total, states }: StoredCommand, sight: Sight, filter: ItemFilter): Promise<number> {
    if (isFiltered({ ...filter, states: undefined })) return countItems(db, id, sight, filter);
    return filter.states ? filter.states.reduce((sum, state) => sum + (states[state] ?? 0), 0) : total;
  }

  return {
    async list(caller: Caller, query: QueryOf<typeof listCommands>): Promise<ReplyOf<typeof listCommands>> {
      const now = clock.now();
      const [sight, filter] = [sightOf(caller), filterOf(query, now)];
      const [rows, count, inForce] = await Promise.all([
        findPage(db, sight, filter, pageOf(query)),
        countCommands(db, sight, filter, exactUpTo + 1),
        limits(),
      ]);
      return {
        data: rows.map(({ item, ...row }) => ({
          ...summary(row, inForce, caller, now),
          ...(item ? { item: itemView(revived(item)) } : {}),
        })),
        recordsTotal: Math.min(count, exactUpTo),
        ...(count > exactUpTo ? { recordsTotalExact: false } : {}),
      };
    },

    async get(caller: Caller, id: number, query: QueryOf<typeof getCommand>): Promise<Detail> {
      const row = await found(db, caller, id);
      const sight = sightOf(caller);
      const filter: ItemFilter = {
        states: words('state', query.state, commandStates),
        q: query.q?.trim() || undefined,
        canary: query.canary,
        verified: query.verified,
      };
      const [items, inForce, count, digest] = await Promise.all([
        findItems(db, row, sight, filter, pageOf(query)),
        limits(),
        countOf(row, sight, filter),
        row.phase === 'awaitingApproval' ? digestOf(db, id) : undefined,
      ]);
      const told = summary(row, inForce, caller, clock.now());
      return {
        ...told,
        ...(told.approval && digest !== undefined ? { approval: { ...told.approval, digest } } : {}),
        items: items.map(itemView),
        recordsTotal: count,
      };
    },
  };
}

/** Several words with commas, each one of a set. */
function words<W extends string>(field: string, given: string | undefined, known: readonly W[]): W[] | undefined {
  if (given === undefined) return undefined;
  const some = given.split(',');
  if (!some.every((word): word is W => (known as readonly string[]).includes(word)))
    throw refuseFields({ field, rule: 'enum' });
  return some;
}

function filterOf(query: QueryOf<typeof listCommands>, now: Date): CommandFilter {
  const lanes = words('lane', query.lane, commandLanes);
  const time = (given: string | undefined) => (given === undefined ? undefined : new Date(given));
  return {
    deviceId: query.deviceId,
    states: words('state', query.state, taskStates),
    lanes: lanes?.map(strengthOf),
    command: query.command,
    actor: query.actor?.trim() || undefined,
    from: time(query.from),
    to: time(query.to),
    outcomes: words('approval', query.approval, approvalOutcomes),
    approver: query.approver?.trim() || undefined,
    now,
  };
}

const pageOf = ({ page = 1, size = 50 }: { page?: number | undefined; size?: number | undefined }) => ({
  limit: size,
  offset: Math.max(0, page - 1) * size,
});
const text = (at: Date | null): string | null => at?.toISOString() ?? null;
/** JSON that this feature wrote itself. */
const written = <T>(value: Readonly<Record<string, unknown>> | null): T | null => value as T | null;

function summary(
  row: StoredCommand,
  { acknowledgeSeconds, confirmSeconds }: CommandLimits,
  caller: Caller,
  now: Date,
): Summary {
  const finished = !openStates.some((state) => (row.states[state] ?? 0) > 0);
  return {
    id: row.id,
    command: row.command,
    args: row.args,
    lane: commandLanes[row.lane] as Lane,
    state: isOverdue(row, now) ? 'lapsed' : stateOf(row.phase, finished),
    scope: row.scope,
    until: text(row.until),
    expiresAt: text(row.expiresAt),
    reason: row.reason,
    actorName: row.actorName,
    createdAt: row.createdAt.toISOString(),
    total: row.total,
    states: row.states,
    finished,
    verified: { confirmed: row.verified['confirmed'] ?? 0, contradicted: row.verified['contradicted'] ?? 0 },
    retryOf: row.retryOf,
    verifies: row.verifies,
    canary: canaryView(row.canary),
    stopAt: row.stopAt,
    halted: written(row.halted),
    cancelled: written(row.cancelled),
    approval: approvalView(row, caller, now),
    limits: { acknowledgeSeconds, confirmSeconds },
  };
}

/** What the steps are called inside is nobody else's business. */
function stateOf(phase: string, finished: boolean): Summary['state'] {
  if (phase === 'running' || phase === 'staged') return finished ? 'finished' : 'running';
  return phase as Summary['state'];
}

function canaryView(stored: Readonly<Record<string, unknown>> | null): Summary['canary'] {
  const canary = written<NonNullable<Summary['canary']>>(stored);
  return (
    canary && {
      count: canary.count,
      minSuccessPercent: canary.minSuccessPercent,
      waitSeconds: canary.waitSeconds,
      state: canary.state,
      judgedAt: canary.judgedAt ?? null,
      confirmed: canary.confirmed ?? null,
    }
  );
}

function approvalView(row: StoredCommand, caller: Caller, now: Date): Summary['approval'] {
  const stored = written<{
    digest: string;
    expiresAt: string;
    approved: boolean | null;
    by?: string;
    at?: string;
    reason?: string | null;
  }>(row.approval);
  if (!stored || !row.outcome) return null;
  const { digest, expiresAt, approved, by, at, reason = null } = stored;
  return {
    outcome: isOverdue(row, now) ? 'expired' : row.outcome,
    digest,
    expiresAt,
    decision: approved === null || by === undefined || at === undefined ? null : { approved, by, at, reason },
    hindrance: hindranceOf(row, caller, now),
  };
}

/** Why somebody cannot decide about a command that waits for a second person; null: it can. */
function hindranceOf(
  row: StoredCommand,
  caller: Caller,
  now: Date,
): 'own' | 'permission' | 'area' | 'decided' | 'expired' | null {
  if (row.phase === 'lapsed' || isOverdue(row, now)) return 'expired';
  if (row.phase !== 'awaitingApproval') return 'decided';
  if (row.actorId === caller.accountId) return 'own';
  if (!caller.permissions.has('lamp.approve')) return 'permission';
  return row.total < row.all ? 'area' : null;
}

function itemView(item: StoredItem): Detail['items'][number] {
  return {
    ...item,
    queuedAt: item.queuedAt.toISOString(),
    sentAt: text(item.sentAt),
    acknowledgedAt: text(item.acknowledgedAt),
    endedAt: text(item.endedAt),
    until: text(item.until),
  };
}

/** A row that travelled as JSON has its times as text. */
function revived(item: object): StoredItem {
  const times = ['queuedAt', 'sentAt', 'acknowledgedAt', 'endedAt', 'until'];
  return Object.fromEntries(
    Object.entries(item).map(([key, value]) => [
      key,
      times.includes(key) && typeof value === 'string' ? new Date(value) : value,
    ]),
  ) as unknown as StoredItem;
}
