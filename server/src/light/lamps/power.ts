import { nightOf } from '../../../../catalogue/lighting/plan/lamp-plan.ts';
import type { LampPlan, Span } from '../../../../catalogue/lighting/plan/programme.ts';
import { lightingDay } from '../../../../catalogue/lighting/sun.ts';

/** What feeds a lamp, as far as it is known; null: nothing is known, then it always has power. */
export interface Feed {
  /**
   * When the loop is switched on by plan: `all_night`, `half_night`, `decorative`; null: nobody said that it is
   * switched at all.
   */
  readonly lighting: string | null;
  /** What the cabinet's controller reported last of the loop's contactor, and when (ms); null: nothing. */
  readonly contactor: boolean | null;
  readonly contactorAt: number | null;
}

export interface Power {
  readonly on: boolean;
  /** Since when, where the plan tells. */ readonly since: number | null;
  readonly by: 'plan' | 'contactor';
}

/**
 * Whether a loop has power now. Its contactor tells, while the cabinet is heard of; else the plan: an all-night loop
 * has power from on to off, stretches in which its lamps are dark included, others until the middle of that time. A
 * loop of which nobody said that it is switched always has.
 */
export function powerOf(
  feed: Feed,
  plan: { readonly planned: readonly Span[] },
  now: number,
  contactorGoodMs: number,
): Power | null {
  if (feed.lighting === null && feed.contactor === null) return null;
  const night = plan.planned.find(({ from, to }) => from <= now && now < to);
  if (feed.contactor !== null && feed.contactorAt !== null && now - feed.contactorAt <= contactorGoodMs)
    return { on: feed.contactor, since: null, by: 'contactor' };
  if (feed.lighting === null) return null;
  if (!night) return { on: false, since: null, by: 'plan' };
  const until = feed.lighting === 'all_night' ? night.to : (night.from + night.to) / 2;
  return { on: now < until, since: now < until ? night.from : null, by: 'plan' };
}

/** Whether a loop has power by its plan alone; outside of nights that are planned nothing is known. */
export function hasPowerByPlan(lighting: string | null, plan: LampPlan, at: number): boolean {
  const { on, off } = nightOf(plan, lightingDay(plan.place, at).day);
  if (on === null || off === null) return true;
  const feed = { lighting, contactor: null, contactorAt: null };
  return powerOf(feed, { planned: [{ from: on, to: off }] }, at, 0)?.on ?? true;
}

/** When the plan changes next: lamps are to be lit or dark, loops get or lose their power. */
export function nextSwitchOf(
  plan: { readonly lit: readonly Span[]; readonly planned: readonly Span[] },
  now: number,
): number {
  const lamps = plan.lit.flatMap(({ from, to }) => [from, to]);
  const loops = plan.planned.flatMap(({ from, to }) => [from, (from + to) / 2, to]);
  return Math.min(...[...lamps, ...loops].filter((at) => at > now), Number.POSITIVE_INFINITY);
}
