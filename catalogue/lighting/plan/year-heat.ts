import { lightingDayOf, type SunPlace } from '../sun.ts';
import { zoneOffset, type Day } from '../zone.ts';
import { frameOf } from './night-frame.ts';

/**
 * Mean levels of lighting days in cells of ten minutes of the wall clock, from noon to noon. Every change of level is
 * two additions; cells are their running sums.
 */

export const cellMinutes = 10;
export const cellsOfDay = 144;
const cellMs = cellMinutes * 60_000;
const dayMs = 86_400_000;
/** One more: what is left of an edge in the last cell. */
const stride = cellsOfDay + 1;

/** The window of a lighting day on its wall clock. */
export interface DayClock {
  readonly from: number;
  readonly to: number;
  /** When daylight saving moves the wall clock inside it, and by how many cells; null: it does not. */
  readonly jump: { readonly at: number; readonly cells: number } | null;
}

export function dayClockOf(place: SunPlace, day: Day): DayClock {
  const { midnight } = frameOf(place, day);
  if (midnight !== null) return { from: midnight + dayMs / 2, to: midnight + (3 * dayMs) / 2, jump: null };
  const { from, to } = lightingDayOf(place, day);
  const moved = place.sunOffsetMinutes * 60_000;
  const offset = (at: number) => zoneOffset(at - moved, place.timeZone);
  const change = offset(to - 1000) - offset(from);
  if (change === 0) return { from, to, jump: null };
  // The first whole second of the new offset.
  let [low, high] = [Math.floor(from / 1000), Math.ceil(to / 1000)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offset(middle * 1000) === offset(from)) low = middle;
    else high = middle;
  }
  return { from, to, jump: { at: high * 1000, cells: change / cellMs } };
}

/** Sums of level × lamps by day and cell, in whole cells of time. */
export class Heat {
  private readonly edges: Float64Array;
  readonly days: number;

  constructor(days: number) {
    this.days = days;
    this.edges = new Float64Array(days * stride);
  }

  /** A level of so many lamps between two instants of a day's window. */
  add(day: number, clock: DayClock, from: number, to: number, weight: number): void {
    const { jump } = clock;
    if (jump === null) this.stretch(day, (from - clock.from) / cellMs, (to - clock.from) / cellMs, weight);
    else {
      if (from < jump.at)
        this.stretch(day, (from - clock.from) / cellMs, (Math.min(to, jump.at) - clock.from) / cellMs, weight);
      if (to > jump.at) {
        const moved = (at: number) => (at - clock.from) / cellMs + jump.cells;
        this.stretch(day, moved(Math.max(from, jump.at)), moved(to), weight);
      }
    }
  }

  private stretch(day: number, from: number, to: number, weight: number): void {
    this.edge(day, from, weight);
    this.edge(day, to, -weight);
  }

  private edge(day: number, at: number, weight: number): void {
    const cell = Math.max(0, Math.floor(at));
    if (cell >= cellsOfDay) return;
    const rest = Math.max(0, at - cell);
    const { edges } = this;
    const index = day * stride + cell;
    edges[index] = (edges[index] ?? 0) + weight * (1 - rest);
    edges[index + 1] = (edges[index + 1] ?? 0) + weight * rest;
  }

  /** The sum of each cell, day by day. */
  cells(): Float64Array {
    const sums = new Float64Array(this.days * cellsOfDay);
    for (let day = 0; day < this.days; day += 1) {
      let sum = 0;
      for (let cell = 0; cell < cellsOfDay; cell += 1) {
        sum += this.edges[day * stride + cell] ?? 0;
        sums[day * cellsOfDay + cell] = sum;
      }
    }
    return sums;
  }
}
