import { escapeControls } from '../../platform/log.ts';

const secretName = /passw|pwd|secret|token|captcha|authorization|one-?time/i;
const longestParams = 4096;
const longestName = 64;

/** A name as the logs keep it: at most 64 characters, control and bidi characters visible. */
export const writtenName = (name: string): string => escapeControls(name).slice(0, longestName);

/** An account name that does not exist keeps only its first and last character: people type passwords there. */
export function writtenUnknownName(name: string): string {
  const characters = [...name.trim()];
  const [first = '', last = ''] = [characters[0], characters.at(-1)];
  return escapeControls(characters.length < 2 ? '***' : `${first}***${last}`);
}

/** Parameters of a call as the log keeps them: secrets masked, pictures by their length, at most 4 KB of JSON. */
export function writtenParams(params: unknown): string | null {
  if (params === undefined || params === null) return null;
  const text = JSON.stringify(params, (name, value: unknown) => {
    if (name !== '' && secretName.test(name) && value !== null && typeof value !== 'object') return '***';
    if (typeof value === 'string') return writtenText(value);
    return Array.isArray(value) && value.length > 100 ? [...(value.slice(0, 100) as unknown[]), `… ${value.length} entries`] : value;
  });
  if (text === undefined || text === '{}') return null;
  const escaped = escapeControls(text);
  return escaped.length <= longestParams ? escaped : `${escaped.slice(0, longestParams - 1)}…`;
}

function writtenText(value: string): string {
  if (/^data:[\w/+.-]*[;,]/.test(value)) return `[picture, ${value.length} characters]`;
  return value.length > 1000 ? `${value.slice(0, 1000)}… (${value.length} characters)` : value;
}
