import { families, records } from '../../../../catalogue/index.ts';
import { escapeControls } from '../../platform/log.ts';
import { maskTelephones } from '../../platform/telephones.ts';

const secretName = /passw|pwd|secret|token|captcha|authorization|one-?time/i;
const telephoneName = /mobile|phone/i;
/** Whatever the catalogue keeps secret, by its name on the wire. */
const secretFields: ReadonlySet<string> = new Set(
  [...families, ...records].flatMap(({ fields }) =>
    fields.filter(({ kind }) => kind === 'secret').map(({ key }) => key),
  ),
);
const longestParamsBytes = 4096;
const longestName = 64;
/**
 * Tab, line breaks and the directional mark that the terminal's escaping leaves alone: a value of a log stays on its
 * line.
 */
const lineBreakers = /[\t\n\u061c\u2028\u2029]/g;

/** A text as one line of at most `most` characters, control and bidi characters visible. */
export function writtenLine(text: string, most: number): string {
  const visible = escapeControls(text).replaceAll(
    lineBreakers,
    (character) => `\\u${character.codePointAt(0)?.toString(16).padStart(4, '0')}`,
  );
  return visible.length <= most ? visible : `${wholeCharacters(visible.slice(0, most - 1))}…`;
}

/** A name as the logs keep it: at most 64 characters. */
export const writtenName = (name: string): string => writtenLine(name, longestName);

/** Both names of who looks through another account's eyes; each keeps its beginning. */
export function writtenNames(name: string, previewBy: string): string {
  const between = ' ← ';
  const half = Math.floor((longestName - between.length) / 2);
  return `${writtenLine(name, half)}${between}${writtenLine(previewBy, half)}`;
}

/** An account name that does not exist keeps only its first and last character: people type passwords there. */
export function writtenUnknownName(name: string): string {
  const characters = [...name.trim()];
  const [first = '', last = ''] = [characters[0], characters.at(-1)];
  return writtenName(characters.length < 2 ? '***' : `${first}***${last}`);
}

/** Parameters of a call as the log keeps them: secrets masked, pictures by their length, at most 4 KB of JSON. */
export function writtenParams(params: unknown): string | null {
  if (params === undefined || params === null) return null;
  const text = jsonOf(params);
  if (text === undefined || text === '{}') return null;
  const escaped = escapeControls(text).replaceAll(
    /[\u061c\u2028\u2029]/g,
    (character) => `\\u${character.codePointAt(0)?.toString(16).padStart(4, '0')}`,
  );
  const bytes = Buffer.from(escaped);
  if (bytes.length <= longestParamsBytes) return escaped;
  // Cut where a character ends; what is left of one that was cut through is the replacement character.
  return `${bytes
    .subarray(0, longestParamsBytes - 3)
    .toString()
    .replace(/\ufffd+$/, '')}…`;
}

function jsonOf(params: unknown): string | undefined {
  try {
    return JSON.stringify(params, (name, value: unknown) => {
      if (name !== '' && (secretFields.has(name) || secretName.test(name)) && value !== null) return '***';
      // A telephone number is no news that a log needs whole.
      if (telephoneName.test(name) && typeof value === 'string') return maskTelephones(value.normalize('NFKC'));
      if (typeof value === 'string') return writtenText(value);
      return Array.isArray(value) && value.length > 100
        ? [...(value.slice(0, 100) as unknown[]), `… ${value.length} entries`]
        : value;
    });
  } catch {
    // Nested deeper than the program can walk.
    return '"[unreadable]"';
  }
}

function writtenText(value: string): string {
  if (/^\s*data:[\w/+.-]*[;,]/i.test(value)) return `[picture, ${value.length} characters]`;
  return value.length > 1000 ? `${wholeCharacters(value.slice(0, 1000))}… (${value.length} characters)` : value;
}

/** Without the first half of a character that was cut through. */
const wholeCharacters = (text: string): string => text.replace(/[\ud800-\udbff]$/, '');
