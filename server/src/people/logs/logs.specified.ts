import type { Static } from 'typebox';
import type { Language } from '../../../../catalogue/languages.ts';
import type { LoginLogRow, OperationLogRow } from '../../../../contract/specified/logs.ts';
import { shownParams, type LoginRow, type OperationRow } from './log-rows.query.ts';
import { messageText } from './texts.ts';

export const operationOf =
  (language: Language) =>
  ({ at, message, params, ...row }: OperationRow): Static<typeof OperationLogRow> => ({
    ...row,
    params: shownParams(params),
    time: at.toISOString(),
    message: messageText(language, message),
  });

export const loginOf =
  (language: Language) =>
  ({ at, message, username, ...row }: LoginRow): Static<typeof LoginLogRow> => ({
    ...row,
    userName: username,
    time: at.toISOString(),
    message: messageText(language, message),
  });
