import { Buffer } from 'node:buffer';
import iconv from 'iconv-lite';

/**
 * The encodings a text file may be read in, by their names on the web, each with the name iconv-lite has for what the
 * web means by it. The decoders of Node do not read all of what they name: its `euc-kr` turns the syllables that
 * Windows adds into other characters without a word.
 */
const readers = {
  'utf-8': 'utf8',
  'utf-16le': 'utf-16le',
  'utf-16be': 'utf-16be',
  gb18030: 'gb18030',
  big5: 'big5',
  'euc-kr': 'cp949',
  shift_jis: 'shiftjis',
  'euc-jp': 'eucjp',
  'windows-1252': 'windows-1252',
  'windows-1250': 'windows-1250',
  'windows-1251': 'windows-1251',
  'windows-1253': 'windows-1253',
  'windows-1254': 'windows-1254',
  'windows-1255': 'windows-1255',
  'windows-1256': 'windows-1256',
  'windows-1257': 'windows-1257',
  'windows-1258': 'windows-1258',
  'windows-874': 'windows-874',
  'iso-8859-2': 'iso-8859-2',
  'koi8-r': 'koi8-r',
} as const;
export type Encoding = keyof typeof readers;

export const encodings = Object.keys(readers) as Encoding[];
export const isEncoding = (name: string): name is Encoding => Object.hasOwn(readers, name);

/**
 * Reads bytes piece by piece; a character may begin in one piece and end in the next. What is no character becomes
 * U+FFFD.
 */
export function decoderOf(encoding: Encoding): { write(bytes: Uint8Array): string; end(): string } {
  const decoder = iconv.getDecoder(readers[encoding], { stripBOM: true });
  return {
    write: (bytes) => decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
    end: () => decoder.end() ?? '',
  };
}

/** A whole text; for pieces of a few KiB. */
export const decode = (encoding: Encoding, bytes: Uint8Array): string =>
  iconv.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), readers[encoding]);
