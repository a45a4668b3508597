/** The faults of lamps and their links. Level 1 severe, 2 moderate, 3 normal. */
export interface FaultKind {
  readonly code: string;
  readonly level: 1 | 2 | 3;
}
const levels = {
  N302: 1,
  N301: 2,
  L101: 2,
  L102: 2,
  L103: 3,
  L104: 3,
  L105: 2,
  L106: 2,
  L107: 2,
  L108: 3,
  L109: 1,
  L110: 2,
  L111: 2,
  L112: 1,
  L113: 2,
  L114: 2,
  L115: 3,
  L116: 2,
  L117: 3,
  L118: 3,
} as const satisfies Record<string, 1 | 2 | 3>;

export type FaultCode = keyof typeof levels;
export const faults: readonly (FaultKind & { readonly code: FaultCode })[] = Object.entries(levels).map(
  ([code, level]) => ({ code: code as FaultCode, level }),
);

/** The faults that the program finds by itself, from readings and links; the most telling first. */
export const judgedFaults = [
  'N302',
  'N301',
  'L112',
  'L113',
  'L101',
  'L111',
  'L110',
  'L105',
  'L106',
] as const satisfies readonly FaultCode[];

/** What a device shows: always a colour, a shape and a word. */
export const states = ['on', 'dimmed', 'off', 'alarm', 'offline', 'maintenance', 'unknown'] as const;
