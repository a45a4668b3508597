import { canFollow, needsOf } from '../../catalogue/lighting/plan/ability.ts';
import { planFromCompact, programmesOfCompact, type CompactPlan } from '../../catalogue/lighting/plan/compact.ts';
import { nightOf } from '../../catalogue/lighting/plan/lamp-plan.ts';
import type { LampPlan, Programme } from '../../catalogue/lighting/plan/programme.ts';
import { defaultProgramme, planOfTable, programmeOfTable } from '../../catalogue/lighting/plan/table.ts';
import { lightingDay } from '../../catalogue/lighting/sun.ts';
import { addDays } from '../../catalogue/lighting/zone.ts';
import type { Capabilities } from '../../protocols/wire.ts';
import type { LampSettings, LampSpec } from './spec.ts';

/** What a lamp makes of the plan in its settings: it obeys, is too old for plans, or disobeys and says nothing of it. */

type Character = Pick<LampSpec, 'obedience' | 'ownTable' | 'seed' | 'abilities'>;

/** What it can; undefined: it knows no plans. */
export const capabilitiesOf = ({
  obedience,
  abilities,
}: Pick<LampSpec, 'obedience' | 'abilities'>): Capabilities | undefined =>
  obedience === 'table' ? undefined : { plan: abilities };

const needs = new WeakMap<CompactPlan, ReturnType<typeof needsOf>>();

/** Whether it follows this plan; one that asks for more than it can leaves it at its table. */
function takes({ obedience, abilities }: Character, plan: CompactPlan): boolean {
  const asked = needs.get(plan) ?? needsOf(programmesOfCompact(plan));
  needs.set(plan, asked);
  return obedience !== 'table' && canFollow(abilities, asked);
}

/** The hash that it reports: of the plan that it follows, unless it keeps a table of its own. */
export const runs = (character: Character, { plan }: LampSettings): string | null =>
  character.ownTable === null && plan && takes(character, plan) ? plan.hash : null;

/** Plans that are kept: lamps that follow the same share it, and its nights. */
const mostPlans = 20_000;
const plans = new Map<string, LampPlan>();

/** What it really follows. */
export function followedBy(character: Character, settings: LampSettings): LampPlan {
  const { obedience, ownTable, seed } = character;
  const { latitude, longitude, timeZone, sunOffsetMinutes } = settings.place;
  const { plan: given } = settings;
  const told = given && takes(character, given) ? [given.hash, given.cycle] : undefined;
  const key = JSON.stringify([
    [latitude, longitude, timeZone, sunOffsetMinutes],
    ownTable ?? (told === undefined ? settings.table : [told, obedience, seed % 2, settings.table]),
  ]);
  let plan = plans.get(key);
  if (!plan) {
    plan = makePlan(character, settings);
    if (plans.size >= mostPlans) plans.clear();
    plans.set(key, plan);
  }
  return plan;
}

function makePlan(character: Character, { place, plan, table }: LampSettings): LampPlan {
  const { obedience, ownTable, seed } = character;
  if (ownTable !== null) return planOfTable(place, ownTable);
  if (!plan || !takes(character, plan)) return planOfTable(place, table);
  const told = planFromCompact(plan, place, programmeOfTable(table));
  if (obedience === 'plan') return told;
  return { ...told, programmeOn: (day) => (seed % 2 === 0 ? defaultProgramme : mistaken(told.programmeOn(day))) };
}

/** A change of level under way: from which level to which, and how far it is, 0 to 1. */
export interface Ramp {
  readonly from: number;
  readonly to: number;
  readonly share: number;
}

/** Most plans have none: their levels need no looking at nights. */
export const hasRamps = ({ plan }: LampSettings): boolean =>
  plan?.programmes.some(({ periods }) => periods.some(({ ramp = 0 }) => ramp > 0)) ?? false;

/** The ramp of a plan at an instant; null: its level is reached. */
export function rampAt(plan: LampPlan, at: number): Ramp | null {
  const { day } = lightingDay(plan.place, at);
  // An offset moves a night into the neighbouring lighting day; where two overlap, the later one holds.
  const night = [1, 0, -1].map((ahead) => nightOf(plan, addDays(day, ahead))).find(({ on }) => on !== null && on <= at);
  const index = night?.steps.findLastIndex((step) => step.at <= at) ?? -1;
  const step = night?.steps[index];
  if (!step || step.rampSeconds === 0) return null;
  const share = (at - step.at) / (step.rampSeconds * 1000);
  return share < 1 ? { from: night?.steps[index - 1]?.level ?? 0, to: step.level, share } : null;
}

/** Each period has the level of the next one; where all are equal, half of it. */
function mistaken(programme: Programme): Programme {
  const { periods } = programme;
  const levels = periods.map(({ level }) => level);
  const equal = new Set(levels).size === 1;
  return {
    ...programme,
    periods: periods.map((period, index) => ({
      ...period,
      level: equal ? Math.round(period.level / 2) : (levels[(index + 1) % levels.length] ?? 0),
    })),
  };
}
