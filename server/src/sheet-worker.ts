import { serveSheet } from './platform/sheet/serve.ts';

/** The thread that writes a sheet (platform/sheet): every kind of sheet the server has, by name. It loads the one it was started for alone, which is most of what a short sheet costs. */
await serveSheet({
  log: async () => (await import('./people/logs/log-sheet.ts')).logSheet,
  devices: async () => (await import('./register/devices/device-sheet.ts')).deviceSheet,
  command: async () => (await import('./light/commands/command-sheet.ts')).commandSheet,
  history: async () => (await import('./history/readings/history-sheet.ts')).historySheet,
});
