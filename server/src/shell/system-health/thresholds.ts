/**
 * From where on something is worth a look (degraded) or hurts (failing). docs/operations.md has the table for
 * operators.
 */
export const healthThresholds = {
  databaseMs: { degraded: 250, failing: 2000 },
  /** Queries that wait for a connection of the pool. */
  databaseWaiting: { degraded: 20, failing: 200 },
  /** Used connections of the database, percent of those it allows. */
  connectionsPercent: { degraded: 80, failing: 95 },
  /** A transaction that is open for so long keeps the space of old rows. */
  transactionSeconds: { degraded: 900, failing: 7200 },
  /** Free space, percent of the file system, or bytes: whichever is reached first. */
  diskFreePercent: { degraded: 10, failing: 3 },
  diskFreeBytes: { degraded: 2_000_000_000, failing: 300_000_000 },
  /** Connections turned away a minute. */
  connectionsRefused: { degraded: 60, failing: Infinity },
  /** The longest way of a message into the database within a minute. */
  commitMs: { degraded: 2000, failing: 15_000 },
  /** Refused messages, percent of a minute's; counted from 20 messages on. */
  messagesRefusedPercent: { degraded: 5, failing: 50 },
  /** Messages a minute that this program itself stumbled over. */
  mistakes: { degraded: 1, failing: Infinity },
  /** No message at all, though there are devices that spoke before. Twice the longest report period. */
  silentSeconds: { degraded: 7200, failing: 21_600 },
  /** An hour that is over is counted two minutes later, and within minutes. */
  rollupBehindSeconds: { degraded: 1800, failing: 21_600 },
  /** Hours of devices that are to be counted again because readings came late. */
  rollupsDue: { degraded: 50_000, failing: Infinity },
  /** The oldest command that waits to be sent. */
  queuedSeconds: { degraded: 30, failing: 110 },
  /** Commands of the last hour that were sent and never answered, percent; counted from 20 on. */
  unansweredPercent: { degraded: 20, failing: 60 },
  /** Messages a minute that slow readers did not get. */
  readersSlow: { degraded: 1, failing: Infinity },
  /** How many periods a job may be late, with at least a minute. */
  jobPeriods: { degraded: 3, failing: 20 },
  taskWaitingSeconds: { degraded: 900, failing: 14_400 },
  /** The oldest row of a log that is not sealed. */
  unsealedSeconds: { degraded: 120, failing: 1800 },
  /** A process that was silent for so long is taken as lost. */
  processSilentSeconds: { degraded: 20, failing: Infinity },
  eventLoopMs: { degraded: 1000, failing: 5000 },
  /** Resident memory, percent of what the machine or its limit allows. */
  memoryPercent: { degraded: 75, failing: 90 },
  certificateDays: { degraded: 30, failing: 7 },
} as const;
export type HealthThresholds = typeof healthThresholds;
