import type { JobState } from '../../platform/jobs.ts';

/**
 * What a process tells of itself, as it stands in its row. Counts are since its start, `perMinute` of the last minute.
 */
export interface ProcessFigures {
  /** When it told, by its own clock, milliseconds since 1970: its other times are by that clock too. */
  readonly at: number;
  readonly memoryBytes: number;
  /** What the machine, or the limit set for the process, has. */
  readonly memoryLimitBytes: number;
  readonly cpuPercent: number;
  readonly eventLoopMs: number;
  readonly databaseConnections: number;
  readonly databaseWaiting: number;
  /** How long the database took for the smallest question. */
  readonly databaseMs: number;
  readonly broker: {
    readonly kind: string;
    readonly problem: string | null;
    readonly connections: number | null;
    readonly refused: Readonly<Record<string, number>>;
    /** False: it keeps no settings for devices that are away. */
    readonly keeps?: boolean;
    /** The largest packet that it takes; null: it names none. */
    readonly packetBytes?: number | null;
  };
  readonly ingest: {
    readonly refused: Readonly<Record<string, number>>;
    readonly waiting: number;
    readonly longestCommitMs: number;
    /** Milliseconds since 1970; null: nothing came since the start. */
    readonly lastMessageAt: number | null;
    /** Ids of devices that had to rest lately, at most 100. */
    readonly slowed?: readonly number[];
    readonly examples: readonly {
      readonly reason: string;
      readonly at: number;
      readonly topic: string;
      readonly detail: string | null;
    }[];
  };
  readonly perMinute: {
    readonly messages: number;
    readonly readings: number;
    readonly dropped: number;
    readonly refused: Readonly<Record<string, number>>;
    readonly turnedAway: Readonly<Record<string, number>>;
  };
  readonly live: { readonly readers: number };
  readonly jobs: readonly JobState[];
  /** What only one process at a time does, and this one does now. */
  readonly leases: readonly string[];
  readonly storage: readonly {
    readonly place: 'data' | 'files';
    readonly freeBytes: number;
    readonly totalBytes: number;
  }[];
  /** End of the TLS certificate; null: none is used. */
  readonly certificateEndsAt: number | null;
}

export interface ProcessFact {
  readonly id: string;
  /** Machine and port: a process that starts there follows the one that was there. */
  readonly name: string;
  readonly pid: number;
  readonly version: string;
  readonly startedAt: Date;
  readonly seenAt: Date;
  /** Since it last told of itself, by the time of the database. */
  readonly silentSeconds: number;
  readonly figures: ProcessFigures;
}

/** What the database alone knows. */
export interface SystemFacts {
  readonly processes: readonly ProcessFact[];
  readonly connections: { readonly used: number; readonly allowed: number };
  readonly oldestTransaction: { readonly seconds: number; readonly who: string };
  readonly commands: readonly { readonly lane: string; readonly state: string; readonly count: number }[];
  readonly oldestQueuedSeconds: number | null;
  readonly tasks: readonly { readonly state: string; readonly count: number; readonly oldestSeconds: number }[];
  readonly unsealedSeconds: number | null;
  /**
   * Of hours and days of the history: how many hours of devices are to be counted again (of more than 100,000 that
   * many), and how late the oldest hour is that is over and not counted yet; null: none ever was.
   */
  readonly rollup: { readonly due: number; readonly behindSeconds: number | null };
}

/**
 * `deviceSharesId`: two of them use one client id; `reconnectStorm`: they connect again and again; `messagesTooLarge`;
 * `devicesSlowed`: they say more than their budget; `clocksWrong`: by more than a minute.
 */
export type Trouble = 'deviceSharesId' | 'reconnectStorm' | 'messagesTooLarge' | 'devicesSlowed' | 'clocksWrong';
/** `name`: its code, and its name where it has one. */
export interface TroubledDevice {
  readonly id: number;
  readonly family: string;
  readonly name: string;
}
/** How many, and some of them. */
export interface Troubled {
  readonly count: number;
  readonly devices: readonly TroubledDevice[];
}

/** What costs more to find out: at most a minute old. */
export interface SlowFacts {
  readonly sizes: readonly { readonly group: string; readonly bytes: number }[];
  /** Devices that make trouble now, by name and id. */
  readonly troubled: Readonly<Record<Trouble, Troubled>>;
  readonly hasSpoken: boolean;
  /** The site has said that one person alone may darken any number of lamps. */
  readonly darkeningUnbounded: boolean;
  /** Next years, from December on, whose holidays nobody knows, by country. */
  readonly holidaysUnknown: readonly { readonly country: string; readonly year: number }[];
  /** Of the commands of the last hour: sent at all, and never answered. */
  readonly answers: { readonly sent: number; readonly unanswered: number };
}
