import { familyOf } from '../../catalogue/index.ts';
import { levelAt, type ManualState } from '../../catalogue/lighting/plan/lamp-plan.ts';
import type { LampPlan } from '../../catalogue/lighting/plan/programme.ts';
import { ambient, idleWarmth, warmed } from '../lamp/electrics.ts';

export type Values = Record<string, number | boolean | string | null>;

const hourMs = 3_600_000;
/** A lamp alone follows within minutes: somebody watches it. */
const inertiaMs = 5 * 60_000;

/** What a device of a family measures: its example, moving a little; a lamp follows what it was told, and its plan. */
export function createMeter(family: string, random: () => number, now: () => number = Date.now) {
  const known = familyOf(family);
  const example = known?.exampleReading ?? {};
  const exampleOf = (key: string): number => Number(example[key] ?? 0);
  const lamp = {
    /** Its level without a plan. */
    usual: Number(example['level'] ?? 100),
    manual: null as ManualState | null,
    plan: null as LampPlan | null,
    warmth: idleWarmth,
    energy: exampleOf('energy'),
    watts: 0,
    at: now(),
  };
  const fullPower = exampleOf('power') / Math.max(0.01, lamp.usual / 100);
  let at = 0;

  function moved(key: string, value: number): number {
    const quantity = known?.quantity.get(key);
    if (quantity?.kind !== 'number') return value;
    const next = quantity.cumulative ? value + at * 0.01 : value * (1 + (random() - 0.5) * 0.02);
    return rounded(key, Math.min(quantity.max, Math.max(quantity.min, next)));
  }

  function rounded(key: string, value: number): number {
    const quantity = known?.quantity.get(key);
    return quantity?.kind === 'number' ? Number(value.toFixed(quantity.decimals)) : value;
  }

  /** Goes on to now: what flowed is counted, and the driver warms or cools by it. */
  function advance(watts: number): void {
    const ms = Math.max(0, now() - lamp.at);
    Object.assign(lamp, {
      at: lamp.at + ms,
      watts,
      energy: lamp.energy + (lamp.watts / 1000) * (ms / hourMs),
      warmth: warmed(lamp.warmth, idleWarmth + (lamp.watts / Math.max(1, fullPower)) * 20, ms, inertiaMs),
    });
  }

  /**
   * What belongs together: power is voltage × current × power factor, without current there is none; counters count
   * what flowed.
   */
  function burning(values: Values): Values {
    const { manual, plan, usual } = lamp;
    const isManual = manual !== null && (manual.until === null || now() < manual.until);
    const level = isManual ? manual.level : plan ? levelAt(plan, now()) : usual;
    const watts = (fullPower * level) / 100;
    advance(watts);
    const factor = watts > 0 ? exampleOf('powerFactor') || 1 : null;
    const apparent = factor === null ? 0 : watts / factor;
    const follows: Values = {
      power: watts,
      apparentPower: apparent,
      reactivePower: Math.sqrt(Math.max(0, apparent ** 2 - watts ** 2)),
      current: apparent / Number(values['voltage'] ?? 230),
      powerFactor: factor,
      energy: lamp.energy,
      temperature: ambient(now()) + lamp.warmth,
    };
    const measured = Object.entries(follows)
      .filter(([key]) => key in values)
      .map(([key, value]) => [key, typeof value === 'number' ? rounded(key, value) : value]);
    return {
      ...values,
      level,
      commandLevel: level,
      reason: isManual ? 'manual' : 'programme',
      relay: level > 0,
      ...(Object.fromEntries(measured) as Values),
    };
  }

  return {
    /** A full reading now. */
    read(): Values {
      at += 1;
      const values = Object.fromEntries(
        Object.entries(example).map(([key, value]) => [key, typeof value === 'number' ? moved(key, value) : value]),
      ) as Values;
      return 'level' in values ? burning(values) : values;
    },
    /** Goes by a plan from now on; null: by none. */
    follow(plan: LampPlan | null): void {
      advance(lamp.watts);
      lamp.plan = plan;
    },
    /** Does what it is told, until an instant (epoch ms); an error's text when it cannot. */
    obey(command: string, args: Readonly<Record<string, unknown>>, until: number | null = null): string | null {
      advance(lamp.watts);
      if (command === 'auto') Object.assign(lamp, { manual: null, usual: 100 });
      else if (command === 'on') lamp.manual = { level: 100, until };
      else if (command === 'off') lamp.manual = { level: 0, until };
      else if (command === 'dim') lamp.manual = { level: Number(args['level']), until };
      else if (command !== 'read' && !(command === 'readPlan' && 'level' in example)) return 'unknown command';
      return null;
    },
  };
}
