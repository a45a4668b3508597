import { pino, type Logger, type LoggerOptions } from 'pino';
import pretty from 'pino-pretty';

export type Log = Logger;

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Fields that never stand in a log, at the top of a record and one or two levels below. */
const secretNames = [
  'authorization',
  'Authorization',
  'cookie',
  'password',
  'newPassword',
  'oldPassword',
  'currentPassword',
  'currentUserPwd',
  'token',
  'biyiCaptcha',
  'biyicaptcha',
  'captchaCode',
  'captchacode',
  'secret',
  'oneTimePassword',
  'securityCode',
];
const masked = secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

/** What could move a terminal's cursor or turn its text around, as visible escapes. */
export function escapeControls(text: string): string {
  return text.replaceAll(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.codePointAt(0)?.toString(16).padStart(4, '0')}`,
  );
}

function options(level: LogLevel): LoggerOptions {
  return {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: masked, censor: '***' },
  };
}

/**
 * The process's log: one JSON object a line, or readable lines when `stream` is a terminal. JSON escapes control
 * characters by itself; the readable form escapes them too, so that a device's text cannot play with an operator's
 * terminal.
 */
export function createLog(
  level: LogLevel,
  stream: { readonly isTTY: boolean; readonly fd: number } = process.stdout,
): Log {
  if (!stream.isTTY) return pino(options(level), pino.destination({ fd: stream.fd, sync: true }));
  const readable = pretty({
    colorize: true,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'pid,hostname,process',
    singleLine: true,
    messageFormat: (record, key) => escapeControls(String(record[key] ?? '')),
    sync: true,
  });
  return pino(options(level), { write: (line: string) => readable.write(escapeInJson(line)) });
}

/** Doubles the escapes of control characters inside a JSON line, so that they stay escapes after it has been read. */
function escapeInJson(line: string): string {
  return line
    .replaceAll(/\\u00(0[0-9a-f]|1[0-9a-f])/g, String.raw`\\u00$1`)
    .replaceAll(/[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, escapeControls);
}
