/** What the simulator says of the city that it plays, in a file beside the handover that the server reads. */

export const storyKinds = ['powerLoss', 'cableCut', 'dyingDriver', 'stuckRelay'] as const;

/** One story of the city, by the device that shows it. */
export interface Story {
  readonly kind: (typeof storyKinds)[number];
  readonly deviceId: number;
  readonly code: string;
  /** The road where it happens. */
  readonly road: string;
  /** Lamps that have a part in it. */
  readonly lamps: number;
  /** Epoch ms; null: each evening. */
  readonly since: number | null;
}

/** Shares from 0 to 1 of the past that its devices have delivered: the last day, and the week before it. */
export interface Progress {
  readonly token: string;
  readonly day: number;
  readonly week: number;
  readonly stories: readonly Story[];
}

/** Reads the file's text; undefined: it is torn, or of another city. */
export function readProgress(text: string, token: string): Progress | undefined {
  try {
    const { day, week, stories, ...progress } = JSON.parse(text) as Partial<Progress>;
    if (progress.token !== token || typeof day !== 'number' || typeof week !== 'number' || !Array.isArray(stories))
      return undefined;
    return { token, day, week, stories: stories as Story[] };
  } catch {
    return undefined;
  }
}
