import { limitBounds, policyDefaults, type CommandLimitName } from '../../../../contract/light/command-settings.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import type { Policy } from './commands.rules.ts';

/** Seconds that each step may take, and messages a second to one gateway that has no pace of its own. */
export type CommandLimits = Readonly<Record<CommandLimitName, number>>;
export interface StoredSettings {
  readonly version: number;
  readonly policy: Policy;
  readonly limits: CommandLimits;
}

const settingName = 'commands.settings';
/** A changed setting is seen after at most this long. */
const stalenessMs = 5000;
type Part = Readonly<Record<string, unknown>>;
const partOf = (value: unknown, key: string): Part => {
  const part = typeof value === 'object' && value !== null ? (value as Part)[key] : undefined;
  return typeof part === 'object' && part !== null ? (part as Part) : {};
};

/** The settings as they are stored; what is missing or no sensible number is the default. */
export async function readSettings(db: Db | Transaction): Promise<StoredSettings> {
  const row = await db.selectFrom('setting').select('value').where('name', '=', settingName).executeTakeFirst();
  const stored = row?.value;
  const [given, policy] = [partOf(stored, 'limits'), partOf(stored, 'policy')];
  const limits = Object.fromEntries(
    Object.entries(limitBounds).map(([name, { minimum, maximum, fallback }]) => {
      const wanted = given[name];
      return [name, typeof wanted === 'number' && wanted >= minimum && wanted <= maximum ? wanted : fallback];
    }),
  ) as Record<CommandLimitName, number>;
  const version = Number(typeof stored === 'object' && stored !== null ? (stored as Part)['version'] : 0);
  return {
    version: Number.isInteger(version) ? version : 0,
    policy: { ...policyDefaults, ...policy } as Policy,
    limits,
  };
}

/** Writes them as the next version. */
export async function writeSettings(tx: Transaction, settings: StoredSettings): Promise<void> {
  const value = JSON.stringify(settings);
  await tx
    .insertInto('setting')
    .values({ name: settingName, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** Reads the limits from the settings, a few seconds old at most. */
export function createLimits({
  db,
  clock,
  bus,
}: {
  readonly db: Db;
  readonly clock: Clock;
  readonly bus?: Bus;
}): () => Promise<CommandLimits> {
  let kept: { at: number; limits: CommandLimits } | undefined;
  bus?.subscribe('settings.changed', () => {
    kept = undefined;
  });
  return async () => {
    const now = clock.now().getTime();
    if (kept && Math.abs(now - kept.at) < stalenessMs) return kept.limits;
    const { limits } = await readSettings(db);
    kept = { at: now, limits };
    return limits;
  };
}
