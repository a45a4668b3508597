import type { Language } from '../../../../catalogue/languages.ts';
import { written } from './texts/index.ts';
import type { itemErrors } from '../../../../contract/light/commands.ts';
import type { CommandState } from './commands.rules.ts';

type Column =
  | 'code'
  | 'name'
  | 'state'
  | 'error'
  | 'queued'
  | 'sent'
  | 'acknowledged'
  | 'ended'
  | 'proofAt'
  | 'level'
  | 'power'
  | 'relay'
  | 'verification';
export interface CommandTexts {
  readonly title: string;
  readonly columns: Readonly<Record<Column, string>>;
  readonly states: Readonly<Record<CommandState, string>>;
  /** Keys that the server writes; everything else is the device's own words. */
  readonly errors: Readonly<Record<(typeof itemErrors)[number], string>> & Readonly<Record<string, string>>;
  readonly closed: string;
  readonly open: string;
  readonly verified: Readonly<Record<'confirmed' | 'contradicted', string>>;
}

/** Words of the file of a command's results. */
export const commandTexts: Readonly<Record<Language, CommandTexts>> = written;
