import { isUtf8 } from 'node:buffer';
import type { Static } from 'typebox';
import type { Attachment } from '../../../../contract/register/attachments.ts';
import { namesInZip } from '../../platform/table-file/index.ts';

export type ContentType = Static<typeof Attachment>['type'];

/** How each type travels, and how its names end; the first ending is the one that a name without any gets. */
export const contentTypes: Readonly<
  Record<ContentType, { readonly mime: string; readonly endings: readonly string[] }>
> = {
  jpeg: { mime: 'image/jpeg', endings: ['jpg', 'jpeg'] },
  png: { mime: 'image/png', endings: ['png'] },
  webp: { mime: 'image/webp', endings: ['webp'] },
  pdf: { mime: 'application/pdf', endings: ['pdf'] },
  xlsx: { mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', endings: ['xlsx'] },
  docx: { mime: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', endings: ['docx'] },
  csv: { mime: 'text/csv; charset=utf-8', endings: ['csv'] },
  txt: { mime: 'text/plain; charset=utf-8', endings: ['txt'] },
  zip: { mime: 'application/zip', endings: ['zip'] },
};
export const allowedEndings = Object.values(contentTypes).map(({ endings }) => endings[0] ?? '');

const endingOf = (name: string): string => /\.([^.]{1,8})$/.exec(name)?.[1]?.toLowerCase() ?? '';

/**
 * What the bytes are. Text has no mark of its own: there the name has to say .txt or .csv. Undefined: nothing that is
 * taken.
 */
export function contentTypeOf(bytes: Buffer, name: string): ContentType | undefined {
  const begins = (...signature: number[]) => signature.every((byte, index) => bytes[index] === byte);
  if (begins(0xff, 0xd8, 0xff)) return 'jpeg';
  if (begins(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'png';
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') return 'webp';
  if (bytes.toString('latin1', 0, 5) === '%PDF-') return 'pdf';
  if (begins(0x50, 0x4b, 0x03, 0x04) || begins(0x50, 0x4b, 0x05, 0x06)) return ofZip(bytes);
  const ending = endingOf(name);
  return (ending === 'txt' || ending === 'csv') && isText(bytes) ? ending : undefined;
}

/** A workbook, a letter, or a zip; what carries macros is not taken. */
function ofZip(bytes: Buffer): ContentType | undefined {
  const names = namesInZip(bytes);
  if (!names || names.some((name) => /(^|\/)vbaProject\.bin$/i.test(name))) return undefined;
  if (!names.includes('[Content_Types].xml')) return 'zip';
  return names.includes('xl/workbook.xml') ? 'xlsx' : names.includes('word/document.xml') ? 'docx' : undefined;
}

/** UTF-8, or the older encoding of mainland China, without control characters. */
function isText(bytes: Buffer): boolean {
  if (bytes.length === 0 || bytes.some((byte) => byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d].includes(byte))) return false;
  if (isUtf8(bytes)) return true;
  try {
    new TextDecoder('gb18030', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** A name as people gave it, without folders and characters that turn or hide text, with the ending of what it is. */
export function nameFor(given: string, type: ContentType): string {
  const { endings } = contentTypes[type];
  const plain = (given.normalize('NFC').split(/[/\\]/).at(-1) ?? '')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}"<>:|?*]/gu, '')
    .trim();
  const known = Object.values(contentTypes).some((one) => one.endings.includes(endingOf(plain)));
  const stem = (known ? plain.slice(0, plain.lastIndexOf('.')) : plain).trim().replace(/^\.+/, '') || 'file';
  const ending = endings.includes(endingOf(plain)) ? endingOf(plain) : (endings[0] ?? '');
  return `${[...stem].slice(0, 180).join('')}.${ending}`;
}
