import type { TFunction } from 'i18next';

const named = {
  'utf-8': true,
  'utf-16le': true,
  'utf-16be': true,
  gb18030: true,
  big5: true,
  'euc-kr': true,
  shift_jis: true,
  'euc-jp': true,
  'windows-1250': true,
  'windows-1251': true,
  'windows-1252': true,
  'windows-1253': true,
  'windows-1254': true,
  'windows-1255': true,
  'windows-1256': true,
  'windows-1257': true,
  'windows-1258': true,
  'windows-874': true,
  'iso-8859-2': true,
  'koi8-r': true,
} as const;
type Named = keyof typeof named;
const isNamed = (encoding: string): encoding is Named => Object.hasOwn(named, encoding);

/** What an encoding is called; one without a name by its label. */
export const encodingName = (key: string, t: TFunction<'imports'>): string =>
  isNamed(key) ? t(`encoding.${key}`) : key.toUpperCase();
