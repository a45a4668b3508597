import type { Static } from 'typebox';
import type { CommandItem, CommandSummary } from '../../../contract/light/commands.ts';

type Item = Static<typeof CommandItem>;
type Task = Static<typeof CommandSummary>;
const at = '2026-11-20T13:46:31.000Z';

/** One device's part of a command; what a test is not about is as usual. */
export const commandItem = (more: Partial<Item> = {}): Item => ({
  deviceId: 1,
  code: 'BJ-0001',
  name: null,
  family: 'single-lamp-controller',
  state: 'queued',
  queuedAt: at,
  sentAt: null,
  acknowledgedAt: null,
  endedAt: null,
  until: null,
  tries: 0,
  canary: false,
  error: null,
  proof: null,
  verification: null,
  reading: null,
  ...more,
});

/** A command as a whole; what a test is not about is as usual. */
export const commandTask = (more: Partial<Task> = {}): Task => ({
  id: 17,
  command: 'dim',
  args: { level: 60 },
  lane: 'manual',
  state: 'running',
  scope: { devices: 120 },
  until: null,
  expiresAt: null,
  reason: null,
  actorName: '周敏',
  createdAt: at,
  total: 120,
  states: { confirmed: 117, timedOut: 2, sent: 1 },
  finished: false,
  verified: { confirmed: 0, contradicted: 0 },
  retryOf: null,
  verifies: null,
  canary: null,
  stopAt: null,
  halted: null,
  cancelled: null,
  approval: null,
  limits: { acknowledgeSeconds: 30, confirmSeconds: 120 },
  ...more,
});
