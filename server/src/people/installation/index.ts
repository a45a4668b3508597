export { adminName, prepareInstallation, type Installation } from './installation.ts';
export { randomPassword } from './random-password.ts';
export type { MenuSeed } from './built-in-menu.ts';
export { initialPasswordFile } from './initial-password.ts';
