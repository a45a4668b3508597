import { commandSheet } from './features/commands/command-sheet.ts';
import { deviceSheet } from './features/devices/device-sheet.ts';
import { historySheet } from './features/history/history-sheet.ts';
import { logSheet } from './features/logs/log-sheet.ts';
import { serveSheet } from './platform/sheet/serve.ts';

/** The thread that writes a sheet (platform/sheet); every kind of sheet the server has, by name. */
await serveSheet([logSheet, deviceSheet, commandSheet, historySheet]);
