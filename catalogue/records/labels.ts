import type { Field } from '../fields/index.ts';
import { text } from '../fields/text.ts';
import type { Language } from '../languages.ts';

/** The field and the column that hold the label of a row in each language. */
export const labelFields = {
  'zh-CN': { field: 'zhCN', column: 'label_zh_cn' },
  'zh-TW': { field: 'zhTW', column: 'label_zh_tw' },
  'en-US': { field: 'enUS', column: 'label_en_us' },
  'fr-FR': { field: 'frFR', column: 'label_fr_fr' },
  'ja-JP': { field: 'jaJP', column: 'label_ja_jp' },
  'ko-KR': { field: 'koKR', column: 'label_ko_kr' },
} as const satisfies Record<Language, { field: string; column: string }>;

/**
 * Languages in which a label is looked up, in order: the caller's; English, except for Traditional Chinese; Chinese,
 * which is always given.
 */
export const labelOrder = (language: Language): readonly Language[] => [
  ...new Set<Language>([language, ...(language === 'zh-TW' ? [] : ['en-US' as const]), 'zh-CN']),
];

/** The label of a row in a language, or in the next one of `labelOrder`. */
export function labelOf(row: Readonly<Record<string, unknown>>, language: Language): string {
  const said = labelOrder(language)
    .map((one) => row[labelFields[one].field])
    .find((label) => typeof label === 'string' && label !== '');
  return typeof said === 'string' ? said : '';
}

/** The six label fields; the Chinese one is required. */
export const labels: readonly Field[] = Object.entries(labelFields).map(([language, { field, column }]) =>
  text(field, { maxLength: 64, column, ...(language === 'zh-CN' ? { required: true } : {}), sort: true }),
);

export const labelKeys: readonly string[] = labels.map((field) => field.key);
