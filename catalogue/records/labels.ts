import type { Field } from '../fields/index.ts';
import { text } from '../fields/text.ts';
import type { Language } from '../languages.ts';

/** The field and the column that hold what a row is called in a language. */
export const labelFields = {
  'zh-CN': { field: 'zhCN', column: 'label_zh_cn' },
  'zh-TW': { field: 'zhTW', column: 'label_zh_tw' },
  'en-US': { field: 'enUS', column: 'label_en_us' },
  'fr-FR': { field: 'frFR', column: 'label_fr_fr' },
  'ja-JP': { field: 'jaJP', column: 'label_ja_jp' },
  'ko-KR': { field: 'koKR', column: 'label_ko_kr' },
} as const satisfies Record<Language, { field: string; column: string }>;

/**
 * In which languages a missing label is looked for: the caller's, for Europeans and Koreans English, then Chinese,
 * which is always there.
 */
export const labelOrder = (language: Language): readonly Language[] => [
  ...new Set<Language>([language, ...(language === 'zh-TW' ? [] : ['en-US' as const]), 'zh-CN']),
];

/** What a row with label fields is called in a language. */
export function labelOf(row: Readonly<Record<string, unknown>>, language: Language): string {
  const said = labelOrder(language)
    .map((one) => row[labelFields[one].field])
    .find((label) => typeof label === 'string' && label !== '');
  return typeof said === 'string' ? said : '';
}

/** The six label fields; the Chinese one is always there. */
export const labels: readonly Field[] = Object.entries(labelFields).map(([language, { field, column }]) =>
  text(field, { maxLength: 64, column, ...(language === 'zh-CN' ? { required: true } : {}), sort: true }),
);

export const labelKeys: readonly string[] = labels.map((field) => field.key);
