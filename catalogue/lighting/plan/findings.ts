/**
 * What simulations and publications find, and how grave it is in both. An `error` cannot be published, a `warning` needs
 * a person's yes, a `note` is to be known.
 */
export const findingSeverities = {
  /** Mean of the darkest three neighbours below the floor of the road class; with an exception of the scheme. */
  belowFloor: 'error',
  floorException: 'warning',
  /** On is not before off: no light although there is a night. */
  neverDark: 'error',
  nightWithoutLight: 'warning',
  /** In no night of the span; in some of them. */
  periodNeverReached: 'warning',
  periodUnused: 'note',
  /** More than two neighbours of a row are dark while others of it burn. */
  darkNeighbours: 'warning',
  minimumBurning: 'note',
  darkTooShort: 'note',
  sameInstant: 'warning',
  skippedTime: 'note',
  repeatedTime: 'note',
  /** Rules about 29 February that do not hold in other years, or that leave it out. */
  leapDay: 'warning',
  /** Rules about holidays in a year that nobody knows; about other days beyond what is known. */
  unknownHolidays: 'warning',
  unknownDays: 'warning',
  polarDay: 'note',
  polarNight: 'note',
  /** On or off is further than 15 minutes from civil twilight. */
  farFromTwilight: 'warning',
  /** The device said that it cannot run it by itself (periods, calendar, patterns): it gets the table of each night. */
  byTable: 'warning',
  /** The lamp only switches, and the plan dims: publishing leaves it out. */
  cannot: 'warning',
  messageTooLarge: 'error',
  /** The plan of lamps lights while their loop has no power by its own: of publications alone. */
  loopOff: 'warning',
  /** Lamps would be darker than by what they follow now: of publications alone. */
  darker: 'warning',
  /** The template or scheme is withdrawn: of publications alone. */
  withdrawn: 'error',
} as const satisfies Record<string, 'error' | 'warning' | 'note'>;
export type FindingCode = keyof typeof findingSeverities;
export type FindingSeverity = 'error' | 'warning' | 'note';
export const findingCodes = Object.keys(findingSeverities) as FindingCode[];
