import { Buffer, isUtf8 } from 'node:buffer';
import { judgeReading } from './alphabets.ts';
import { decode, encodings, type Encoding } from './encodings.ts';

export interface EncodingGuess {
  readonly encoding: Encoding;
  /** Whether the bytes leave no doubt. */
  readonly sure: boolean;
  /** The first line that tells encodings apart, read in each, the likeliest first. */
  readonly candidates: readonly { readonly encoding: Encoding; readonly sample: string }[];
}

const looked = 16 * 1024;
const sampleCharacters = 80;
/** A reading is certain if it earns this much more a character than any other with a different text. */
const clearLead = 0.3;
/** Of fewer characters chance has its part. */
const fewCharacters = 8;
/** What an invalid character costs. */
const badCosts = 3;

/**
 * Encoding by mark, by validity as UTF-8, by zero bytes for UTF-16, else by which reading makes words. Reads the whole
 * file once.
 */
export function guessEncoding(bytes: Uint8Array): EncodingGuess {
  const lines = linesBeyondAscii(bytes);
  const certain = (encoding: Encoding): EncodingGuess => ({
    encoding,
    sure: true,
    candidates: candidatesOf(bytes, lines, [encoding]),
  });
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return certain('utf-16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return certain('utf-16be');
  const wide = utf16Without(bytes);
  if (wide) return certain(wide);
  if (isUtf8(bytes)) return certain('utf-8');
  const scored = encodings
    .flatMap((encoding) => {
      const text = decode(encoding, lines);
      const worth = encoding === 'utf-8' ? utf8Worth(text) : worthOf(judgeReading(encoding, lines, text));
      return worth === undefined ? [] : [{ encoding, text, ...worth }];
    })
    .toSorted((a, b) => b.worth - a.worth);
  const [best] = scored;
  if (!best) return { ...certain('utf-8'), sure: false };
  // Readings that give the same text do not compete.
  const second = scored.find(({ text }) => text !== best.text);
  const lead = best.worth - (second?.worth ?? -1);
  return {
    encoding: best.encoding,
    sure:
      best.encoding !== 'utf-8' && best.worth > 0.5 && lead >= clearLead * (best.characters < fewCharacters ? 2 : 1),
    candidates: candidatesOf(
      bytes,
      lines,
      scored.map(({ encoding }) => encoding),
    ),
  };
}

const worthOf = (judged: ReturnType<typeof judgeReading>) =>
  judged && judged.characters > 0
    ? { worth: (judged.points - badCosts * judged.bad) / judged.characters, characters: judged.characters }
    : undefined;

/** A file that is UTF-8 but for a few bytes. */
function utf8Worth(text: string): { worth: number; characters: number } | undefined {
  const [good, bad] = [text.match(/[^\u0000-\u007f\ufffd]/gu)?.length ?? 0, text.match(/\ufffd/gu)?.length ?? 0];
  return good + bad === 0 ? undefined : { worth: (1.5 * good - badCosts * bad) / (good + bad), characters: good + bad };
}

/**
 * The lines that hold bytes beyond ASCII, as far as they are needed; whatever the encoding, a line break is one byte in
 * it, but for UTF-16.
 */
function linesBeyondAscii(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let length = 0;
  for (let at = 0; at < bytes.length && length < looked;) {
    const found = firstBeyondAscii(bytes, at);
    if (found < 0) break;
    const start = Math.max(at, bytes.lastIndexOf(0x0a, found) + 1, found - 2048);
    const end = bytes.indexOf(0x0a, found);
    const line = bytes.subarray(
      start,
      Math.min(end < 0 ? bytes.length : end + 1, start + 8192, start + looked - length),
    );
    parts.push(line);
    length += line.length;
    at = Math.max(start + line.length, found + 1);
  }
  return Buffer.concat(parts);
}

function firstBeyondAscii(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at += 1) if ((bytes[at] ?? 0) > 0x7f) return at;
  return -1;
}

/** UTF-16 without a mark: digits, commas and line breaks have a zero beside them, always on the same side. */
function utf16Without(bytes: Uint8Array): Encoding | undefined {
  const end = Math.min(bytes.length, 16 * 1024) & ~1;
  let [high, low] = [0, 0];
  for (let at = 0; at < end; at += 2) {
    if (bytes[at] === 0 && bytes[at + 1] !== 0) high += 1;
    if (bytes[at + 1] === 0 && bytes[at] !== 0) low += 1;
  }
  const enough = end / 2 / 20;
  if (low > enough && high <= low / 8) return 'utf-16le';
  return high > enough && low <= high / 8 ? 'utf-16be' : undefined;
}

/** What is offered to choose from: every encoding, the likely ones first, each with the same line of the file. */
function candidatesOf(bytes: Uint8Array, lines: Uint8Array, likely: readonly Encoding[]): EncodingGuess['candidates'] {
  const line = lines.length > 0 && !likely[0]?.startsWith('utf-16') ? lines : bytes;
  const head = line.subarray(0, 1024);
  return [...new Set([...likely, ...encodings])].map((encoding) => ({
    encoding,
    sample: sampleOf(decode(encoding, head)),
  }));
}

/**
 * From the first sign beyond ASCII on, with a little before it; on one line, without what would draw nothing or upset
 * the line.
 */
function sampleOf(text: string): string {
  const line = text.split(/\r?\n|\r/).find((one) => /[^\u0000-\u007f]/.test(one)) ?? text.split(/\r?\n|\r/)[0] ?? '';
  const first = Math.max(0, line.search(/[^\u0000-\u007f]/));
  return line
    .slice(first < sampleCharacters / 2 ? 0 : first - 8)
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '\ufffd')
    .slice(0, sampleCharacters)
    .toWellFormed();
}
