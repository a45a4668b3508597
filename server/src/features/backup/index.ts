export { isEncrypted } from './archive.ts';
export { backUp, type BackupDone } from './backup.ts';
export { readPassphrase } from './passphrase.ts';
export { refuseNonEmpty, restore, type RestoreDone } from './restore.ts';
