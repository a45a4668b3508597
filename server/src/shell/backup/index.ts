export { isEncrypted } from './archive.ts';
export { backUp, type BackupDone } from './backup.ts';
export { readPassphrase } from './passphrase.ts';
export { refuseNonEmpty, RestoreUncertain, restore, settle, shortLived, type RestoreDone } from './restore.ts';
