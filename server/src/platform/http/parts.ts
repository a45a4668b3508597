import type { Clock } from '../clock.ts';
import type { Db, Transaction } from '../db/index.ts';
import type { Log } from '../log.ts';
import type { SocketTimes } from './sockets.ts';
import type { Caller } from './context.ts';
import type { DryRun } from './dry-run.ts';

/** One row of the operation log, before it is masked, escaped and cut. */
export interface OperationEntry {
  readonly accountId: number | null;
  readonly username: string;
  /** The administrator who looks through that account's eyes; `accountId` is then the administrator's. */
  readonly previewBy?: string;
  /** Method and path without query. */
  readonly uri: string;
  readonly ip: string;
  readonly at: Date;
  readonly params: unknown;
  /** The action of a change; of a refused one the action and, after a space, the error's name. */
  readonly message: string;
  readonly status: number;
}

/** Where state-changing calls are written down; implemented by desk/operation-log. */
export interface OperationRecorder {
  /** Writes one row, within the change's transaction when there is one. */
  write(entry: OperationEntry, tx?: Transaction): Promise<void>;
  /** A refused call of nobody: one row a minute for an address and a path, written when the minute is over. */
  countAnonymous(uri: string, ip: string, action: string | undefined): void;
}

export interface Seen {
  readonly background: boolean;
  /** Where it came from: for the log, and for what one address may ask. */
  readonly address?: string;
  /** Where an address has to wait it is refused at once instead. */
  readonly atOnce?: boolean;
}

/**
 * Whose token this is (with or without its prefix), now; undefined when it is none or ended. Implemented by
 * people/sessions.
 */
export type Authenticate = (token: string, seen: Seen) => Promise<Caller | undefined>;

export interface HttpConfig {
  /** How long requests may take to arrive; default: the usual times. */
  readonly times?: Partial<SocketTimes>;
  readonly trustedProxies: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null;
}

export interface HttpParts {
  readonly config: HttpConfig;
  readonly log: Log;
  readonly clock: Clock;
  readonly db: Db;
  readonly dryRun: DryRun;
  readonly authenticate: Authenticate;
  readonly operations: OperationRecorder;
  /** Why the service is not usable now; undefined when it is. */
  readonly notReady: () => Promise<string | undefined>;
  /**
   * Called for a call that refused fields by rules which it does not declare: a defect, because its answer does not
   * name everything at once.
   */
  readonly untold: (what: string) => void;
  /** Called for every answered request: the class of its route, its status and its time. */
  readonly served?: (request: {
    readonly class: string;
    readonly status: number;
    readonly milliseconds: number;
  }) => void;
  /** Aborted when the process stops. */
  readonly stopping?: AbortSignal;
  /** The built console's folder; without one only the API is served. */
  readonly consoleFolder?: string;
}
