/** Files of the server that hold SQL outside `*.store.ts` and `*.query.ts`, for this reason. */
export interface Exception {
  readonly files: readonly string[];
  readonly why: string;
}

export const exceptions: readonly Exception[] = [
  {
    files: [
      'server/src/desk/operation-log/past.ts',
      'server/src/light/commands/seeding.ts',
      'server/src/people/users/seeding.ts',
    ],
    why: 'The past of the demo city: what a service writes, with the times that were, in one statement more.',
  },
  {
    files: [
      'server/src/light/commands/commands.service.ts',
      'server/src/light/commands/settings.service.ts',
      'server/src/light/home/home.service.ts',
      'server/src/light/lamps/lamps.service.ts',
      'server/src/register/imports/imports.service.ts',
    ],
    why: 'A service with a few statements of its own: the only five.',
  },
  {
    files: [
      'server/src/light/commands/control.ts',
      'server/src/light/commands/darkening.ts',
      'server/src/light/commands/flow.ts',
      'server/src/light/commands/proofs.ts',
      'server/src/light/commands/settings.ts',
      'server/src/light/lamps/learned-curves.ts',
      'server/src/light/lamps/manual-spans.ts',
    ],
    why: 'A step of a command or of judging that is one statement over many rows: its condition is the rule.',
  },
  {
    files: ['server/src/light/commands/sight.ts', 'server/src/wires/provisioning/scope.ts'],
    why: 'Conditions that stores share: what a caller sees.',
  },
  {
    files: [
      'server/src/light/commands/command-sheet.ts',
      'server/src/light/commands/export-task.ts',
      'server/src/register/devices/device-sheet.ts',
    ],
    why: 'A sheet reads its rows in the thread that writes it, statement beside column.',
  },
  {
    files: [
      'server/src/wires/link/device-access.ts',
      'server/src/ingest/devices-heard.ts',
      'server/src/ingest/ingest.ts',
      'server/src/ingest/mistakes.ts',
      'server/src/ingest/partitions.ts',
    ],
    why: 'The path of a reading is one list of steps; a step that is one statement stands in it.',
  },
  {
    files: [
      'server/src/wires/connections/outages.ts',
      'server/src/wires/connections/watch.ts',
      'server/src/wires/device-settings/device-settings.ts',
      'server/src/wires/provisioning/batch-access.ts',
      'server/src/wires/provisioning/batches.ts',
      'server/src/wires/provisioning/inbox.ts',
      'server/src/wires/provisioning/journal.ts',
      'server/src/wires/provisioning/pending.ts',
      'server/src/start-broker.ts',
    ],
    why: 'A table of the link to devices with the few statements that keep it in step with the broker.',
  },
  {
    files: [
      'server/src/register/imports/history.ts',
      'server/src/register/imports/lookups.ts',
      'server/src/register/imports/retention.ts',
      'server/src/register/imports/write.ts',
    ],
    why: 'An import is checked, written and undone by statements over all its rows: their order is the rule.',
  },
  {
    files: [
      'server/src/register/devices/devices.changes.ts',
      'server/src/register/devices/devices.references.ts',
      'server/src/register/episodes/faults.ts',
    ],
    why: 'What a change means for other rows, found and written by statements that say so themselves.',
  },
  {
    files: [
      'server/src/history/readings/lamp-curves.ts',
      'server/src/history/readings/late.ts',
      'server/src/history/readings/retention.ts',
      'server/src/history/readings/roll-energy.ts',
    ],
    why: 'Work of the night over whole tables: the reckoning and its statements are one text.',
  },
  {
    files: [
      'server/src/people/log-seals/chain.ts',
      'server/src/people/log-seals/retention.ts',
      'server/src/people/log-seals/sealer.ts',
      'server/src/people/log-seals/verifier.ts',
      'server/src/desk/operation-log/login-log.ts',
      'server/src/desk/operation-log/operation-log.ts',
    ],
    why: 'A log is written, sealed and verified over exactly the columns and the order that its statements name.',
  },
  {
    files: ['server/src/people/sign-in/locks.ts', 'server/src/people/sessions/rights.ts'],
    why: 'What is counted under one lock or at one version: the order of the statements is the rule.',
  },
  {
    files: ['server/src/people/installation/built-in-menu.ts', 'server/src/people/installation/installation.ts'],
    why: 'The first rows of a new database, made in one act.',
  },
];
