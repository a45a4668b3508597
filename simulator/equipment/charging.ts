import { createRandom, seedOf } from '../city/random.ts';
import { noise } from '../lamp/electrics.ts';
import { bump, clamp, dayMs, dayOf, dayStart, hourMs, minuteMs, radio } from './signal.ts';
import type { Measured, Model } from './unit.ts';

/** One car at a pile, from plugging in to driving away. Times are epoch milliseconds. */
interface Session {
  readonly from: number;
  readonly start: number;
  readonly end: number;
  readonly leave: number;
  readonly watts: number;
  readonly kwh: number;
  readonly soc: readonly [from: number, to: number];
}

/** The first day that a pile counts. */
const firstDay = dayOf(Date.parse('2026-01-01T00:00:00Z'));
/** One that is out of order has had no car since this day. */
const lastCars = firstDay + 300;
/** What a pile shows that takes no cars. */
const standing: Partial<Readonly<Record<string, string>>> = {
  faulted: 'faulted',
  unavailable: 'unavailable',
  limited: 'suspended_evse',
};
const reservedMs = 15 * minuteMs;
/** A day of charging begins when the last cars of the night leave. */
const beginHour = 6;
const inertiaMs = 25 * minuteMs;
/** From this share of its time on a charge needs less and less power, down to `lastShare` of it. */
const taperFrom = 0.75;
const lastShare = 0.25;
const wholeCharge = taperFrom + (1 - taperFrom) * ((1 + lastShare) / 2);

/** What is charged of a session after this share of its time, 0 to 1. */
function charged(share: number): number {
  const done = clamp(share, 0, 1);
  if (done <= taperFrom) return done / wholeCharge;
  const late = done - taperFrom;
  return (taperFrom + late - (((1 - lastShare) / (1 - taperFrom)) * late ** 2) / 2) / wholeCharge;
}
const powerShare = (share: number): number =>
  share <= taperFrom ? 1 : 1 - ((1 - lastShare) * (share - taperFrom)) / (1 - taperFrom);

/** When cars come: at lunch, most after work, some for the night. */
const arrivals = (hour: number): number =>
  0.15 + 0.5 * bump(hour, 12.5, 2) + bump(hour, 18.8, 2.2) + 0.5 * bump(hour, 21.5, 2);

function sessionsOf(seed: number, fast: boolean, day: number): Session[] {
  const random = createRandom(seedOf(seed, `cars ${day}`));
  const begin = dayStart(day) + beginHour * hourMs;
  const cars = fast ? random.whole(6, 11) : random.whole(1, 3);
  const hours: number[] = [];
  while (hours.length < cars) {
    const hour = random.between(0.2, 23);
    if (random.chance(arrivals((hour + beginHour) % 24) / 1.6)) hours.push(hour);
  }
  const found: Session[] = [];
  for (const hour of hours.sort((a, b) => a - b)) {
    const from = begin + hour * hourMs;
    if (from < (found.at(-1)?.leave ?? 0) + 4 * minuteMs) continue;
    const soc = [random.whole(12, 55), random.whole(78, 100)] as const;
    const kwh = ((soc[1] - soc[0]) / 100) * random.between(42, 75);
    const watts = fast ? random.between(38_000, 58_000) : random.between(6600, 6950);
    const start = from + random.between(45, 120) * 1000;
    const end = start + (kwh / (watts / 1000) / wholeCharge) * hourMs;
    const leave = end + (random.chance(0.3) ? random.between(20, 70) : random.between(2, 9)) * minuteMs;
    if (leave > begin + dayMs) continue;
    found.push({ from, start, end, leave, watts, kwh, soc });
  }
  return found;
}

/** 充电桩: cars that come and go, a charge that tapers, a counter that counts what they took. */
export const chargingPile: Model = ({ seed, kind, trouble }, { weather }) => {
  const fast = kind === 'dc';
  const out = standing[trouble ?? ''];
  const days = new Map<number, readonly Session[]>();
  const sums: number[] = [0];
  const on = (day: number): readonly Session[] => {
    const known = days.get(day) ?? (out !== undefined && day > lastCars ? [] : sessionsOf(seed, fast, day));
    if (days.size > 20) days.clear();
    days.set(day, known);
    return known;
  };
  /** kWh of all whole days before this one. */
  const before = (day: number): number => {
    for (let next = sums.length; next <= day - firstDay; next++)
      sums.push((sums[next - 1] ?? 0) + on(firstDay + next - 1).reduce((sum, { kwh }) => sum + kwh, 0));
    return sums[Math.max(0, day - firstDay)] ?? 0;
  };
  const base = 2000 + 30_000 * noise(seed, 1000);
  const idle = 4 + 5 * noise(seed, 2000);
  return (at): Measured => {
    const clockDay = dayOf(at - beginHour * hourMs);
    // One that is out of order shows at any time what it shows since its last car left.
    const day = out === undefined ? clockDay : Math.max(clockDay, lastCars + 2);
    const today = on(day);
    const session = today.find(({ from, leave }) => at >= from && at < leave);
    const share = (one: Session): number => (at - one.start) / (one.end - one.start);
    const counted = today.reduce((sum, one) => sum + (at < one.start ? 0 : one.kwh * charged(share(one))), 0);
    const charging = session && at >= session.start && at < session.end;
    const watts = charging ? session.watts * powerShare(share(session)) : 0;
    const soc = session ? session.soc[0] + (session.soc[1] - session.soc[0]) * charged(share(session)) : null;
    const volts = fast ? 345 + 0.95 * (soc ?? 0) : 227 + 3 * (noise(seed, at) - 0.5);
    // Warmth adds up: each charge warms, and cools down after its end.
    const warmth = [...on(day - 1), ...today].reduce((sum, one) => {
      if (at < one.start) return sum;
      const grown = (1 - Math.exp(-(Math.min(at, one.end) - one.start) / inertiaMs)) * (fast ? 21 : 12);
      return sum + grown * Math.exp(-Math.max(0, at - one.end) / inertiaMs);
    }, idle);
    const next = today.find(({ from }) => from > at);
    const own = {
      reserved: !session && next && next.kwh % 1 < 0.35 && next.from - at < reservedMs,
      available: !session,
      preparing: session && at < session.start,
      charging,
      // Full, and still plugged in; the bill is made within a minute.
      finishing: session && at >= session.end && at < session.end + minuteMs * 2,
      suspended_ev: session && at >= session.end,
    };
    const status = Object.entries(own).find(([, holds]) => holds)?.[0] ?? 'available';
    return {
      connectorStatus: out ?? status,
      energy: base + before(day) + counted,
      chargingVoltage: charging ? volts : 0,
      chargingCurrent: charging ? watts / volts : 0,
      chargingPower: watts,
      soc,
      sessionEnergy: session ? session.kwh * charged(share(session)) : 0,
      temperature: weather(at).temperature + warmth + (trouble === 'hot' ? 44 : 0) + 0.3 * (noise(seed ^ 5, at) - 0.5),
      rssi: radio(seed, at, -72),
    };
  };
};
