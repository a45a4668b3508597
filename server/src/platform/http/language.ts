import { languages, type Language } from '../../../../catalogue/languages.ts';

const ours = new Map<string, Language>(languages.map((language) => [language.toLowerCase(), language]));
/** Spellings of other clients, and bare languages. */
const others: Readonly<Record<string, Language>> = {
  zh: 'zh-CN',
  'zh-hans': 'zh-CN',
  'zh-sg': 'zh-CN',
  'zh-hans-cn': 'zh-CN',
  'zh-hant': 'zh-TW',
  'zh-hk': 'zh-TW',
  'zh-mo': 'zh-TW',
  'zh-hant-tw': 'zh-TW',
  'zh-hant-hk': 'zh-TW',
  en: 'en-US',
  fr: 'fr-FR',
  ja: 'ja-JP',
  ko: 'ko-KR',
};

/**
 * The first supported language of an Accept-Language header in order of its weights; zh-CN when there is none
 * (specified 10.4).
 */
export function chooseLanguage(header: string | undefined): Language {
  const wanted = (header ?? '')
    .slice(0, 500)
    .split(',')
    .map((part, position) => {
      const [tag = '', ...parameters] = part.trim().split(';');
      const weight = parameters
        .map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1])
        .find((value) => value !== undefined);
      return {
        tag: tag.trim().toLowerCase().replaceAll('_', '-'),
        weight: weight === undefined ? 1 : Number(weight),
        position,
      };
    });
  wanted.sort((a, b) => b.weight - a.weight || a.position - b.position);
  for (const { tag, weight } of wanted) {
    if (!(weight > 0)) continue;
    const language = ours.get(tag) ?? others[tag] ?? others[tag.split('-')[0] ?? ''];
    if (language) return language;
  }
  return 'zh-CN';
}
