import { dayNumber, type Day } from '../zone.ts';
import type { LampRole, Pattern, Rotation } from './programme.ts';

/** One lamp of so many is lit. */
const cycles: Readonly<Record<Pattern, number>> = { all: 1, alternateOne: 2, alternateTwo: 3 };
/** Rows with fewer places alternate nothing. */
const leastRow = 3;

/** Why a place of a row is lit in every pattern: the row is too short, or it stands at an end; null: patterns count it. */
export const keptByPlace = (position: number, rowLength: number): 'short' | 'end' | null =>
  rowLength < leastRow ? 'short' : position === 0 || position === rowLength - 1 ? 'end' : null;

/** Whether a pattern lights this lamp on a lighting day. A lamp without a place in a row is lit in every pattern. */
export function litByPattern(pattern: Pattern, role: LampRole, day: Day): boolean {
  const cycle = cycles[pattern];
  const { position, rowLength, right, keep, rotation } = role;
  if (cycle === 1 || keep || position === null || keptByPlace(position, rowLength) !== null) return true;
  // The right side of the road is half a cycle ahead: two lamps that face each other are not dark together.
  const stagger = right ? Math.floor(cycle / 2) : 0;
  return (position + shiftOf(rotation, day) + stagger) % cycle === 0;
}

/** How far the pattern has moved along the row, so that lamps wear evenly. */
function shiftOf(rotation: Rotation, day: Day): number {
  if (rotation === 'fixed') return 0;
  // Days before 1970 are negative: the remainder of a multiple of 2 and 3 is not.
  const number = rotation === 'nightly' ? dayNumber(day) : Math.floor(dayNumber(day) / 7);
  return ((number % 6) + 6) % 6;
}
