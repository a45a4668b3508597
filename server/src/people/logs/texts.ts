import type { Language } from '../../../../catalogue/languages.ts';
import { errors, type ErrorName } from '../../../../contract/errors.ts';
import { fill, texts } from '../../platform/http/texts.ts';
import type { ActionKey, OutcomeKey } from './action-keys.ts';
import { written } from './texts/index.ts';

type Column = 'time' | 'username' | 'ip' | 'uri' | 'operation' | 'params' | 'status' | 'result' | 'times' | 'message';

export interface LogTexts {
  readonly operationLog: string;
  readonly loginLog: string;
  readonly success: string;
  readonly failure: string;
  readonly malformedDay: string;
  readonly reversedDays: string;
  readonly reversedTimes: string;
  readonly futureDay: string;
  /** What was tried and why it was refused: `{action}` and `{reason}`. */
  readonly refused: string;
  readonly columns: Readonly<Record<Column, string>>;
  readonly outcomes: Readonly<Record<OutcomeKey, string>>;
  readonly actions: Readonly<Record<ActionKey, string>>;
}

const all: Readonly<Record<Language, LogTexts>> = written;

export const logTexts = (language: Language): LogTexts => all[language];

const own = <T extends object>(of: T, key: PropertyKey): key is keyof T => Object.hasOwn(of, key);
const isError = (key: string): key is ErrorName => own(errors, key);

/**
 * What a row says, in words: the logs keep stable keys, an unknown one is shown as it is. A refused change is its
 * action, a space and the error's name.
 */
export function messageText(language: Language, key: string): string {
  const { actions, outcomes, refused } = all[language];
  const [action = '', reason, ...more] = key.split(' ');
  if (reason !== undefined && more.length === 0 && isError(reason)) {
    const why = fill(language, texts(language).errors[reason].title, {});
    return own(actions, action) ? fill(language, refused, { action: actions[action], reason: why }) : why;
  }
  if (own(actions, key)) return actions[key];
  if (own(outcomes, key)) return outcomes[key];
  return isError(key) ? texts(language).errors[key].title : key;
}
