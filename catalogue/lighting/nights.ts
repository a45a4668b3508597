/** What became of a lamp in a night, and why. */

/**
 * `ran`: readings obeyed every planned step that they tell of. `diverged`: a reading showed another level. `away`: out of
 * reach at a step. `silent`: in reach, and no reading tells of any step. `plannedDark`: the pattern of its row left it
 * dark all night. `notJudged`: there is nothing to judge it by.
 */
export const nightOutcomes = ['ran', 'diverged', 'away', 'silent', 'plannedDark', 'notJudged'] as const;
export type NightOutcome = (typeof nightOutcomes)[number];

/** In the order in which they are looked at, and listed. */
export const nightReasons = [
  /** Out of reach since then. */
  'away',
  /** Its loop has no power. */
  'noPower',
  /** A selector on site is not on automatic. */
  'localControl',
  /** A fault of the lamp, its driver or its relay is open. */
  'fault',
  /** It was dark at its last planned step with light. */
  'notLit',
  /** A command keeps it off until after its on-time. */
  'manual',
  /** It says that it runs another plan than it was told. */
  'otherPlan',
  'clockWrong',
  /** It did not answer when it was asked for a reading. */
  'noAnswer',
  /** Nothing accounts for it. */
  'unknown',
  /**
   * Of lamps that are not judged: nobody knows where it stands; no step is planned; its plan was replaced after its
   * steps; judging it failed; it is newer than the night.
   */
  'noPlan',
  'noStep',
  'replaced',
  'failed',
  'newer',
] as const;
export type NightReason = (typeof nightReasons)[number];
