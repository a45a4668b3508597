import { dayNumber, type Day } from '../zone.ts';
import type { LampRole, Pattern, Rotation } from './programme.ts';

/** One lamp of so many is lit. */
const cycles: Readonly<Record<Pattern, number>> = { all: 1, alternateOne: 2, alternateTwo: 3 };
/** Rows with fewer lamps are lit as a whole. */
const shortestRow = 3;

/**
 * Whether a pattern lights this lamp on a lighting day. Ends of a row, short rows and lamps without a place in a row are
 * lit in every pattern.
 */
export function litByPattern(pattern: Pattern, role: LampRole, day: Day): boolean {
  const cycle = cycles[pattern];
  const { position, rowLength, right, keep, rotation } = role;
  if (cycle === 1 || keep || position === null || rowLength < shortestRow) return true;
  if (position === 0 || position === rowLength - 1) return true;
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
