import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';

/** Seconds from sending to the acknowledgement and to the confirmation, and how long an unsent command stays worth sending. */
export interface CommandLimits {
  readonly acknowledgeSeconds: number;
  readonly confirmSeconds: number;
  readonly queueSeconds: number;
}

export const defaultLimits: CommandLimits = { acknowledgeSeconds: 30, confirmSeconds: 120, queueSeconds: 120 };
const settingName = 'commands.limits';
/** A changed setting is seen after at most this long. */
const stalenessMs = 5000;

/** Reads the limits from the settings (`commands.limits`); what is missing or no sensible number is the default. */
export function createLimits({ db, clock }: { readonly db: Db; readonly clock: Clock }): () => Promise<CommandLimits> {
  let kept: { at: number; limits: CommandLimits } | undefined;
  return async () => {
    const now = clock.now().getTime();
    if (kept && now - kept.at < stalenessMs) return kept.limits;
    const row = await db.selectFrom('setting').select('value').where('name', '=', settingName).executeTakeFirst();
    const stored = (typeof row?.value === 'object' && row.value !== null ? row.value : {}) as Readonly<Record<string, unknown>>;
    const limits = Object.fromEntries(Object.entries(defaultLimits).map(([name, fallback]) => {
      const wanted = stored[name];
      return [name, typeof wanted === 'number' && wanted >= 1 && wanted <= 86_400 ? wanted : fallback];
    })) as unknown as CommandLimits;
    kept = { at: now, limits };
    return limits;
  };
}
