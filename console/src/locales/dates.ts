import dayjs from 'dayjs';
import utc from 'dayjs/plugin/utc';
import timezone from 'dayjs/plugin/timezone';
import type { Locale as AntdLocale } from 'antd/es/locale';
import type { LanguageTag } from '../session/index.ts';

dayjs.extend(utc);
dayjs.extend(timezone);

/** antd's words and the name of dayjs's, both of one language: a file of its own. */
const loaders: Record<LanguageTag, () => Promise<{ default: { antd: AntdLocale; dayjs: string } }>> = {
  'zh-CN': () => import('./words/zh-CN.ts'),
  'zh-TW': () => import('./words/zh-TW.ts'),
  'en-US': () => import('./words/en-US.ts'),
  'fr-FR': () => import('./words/fr-FR.ts'),
  'ja-JP': () => import('./words/ja-JP.ts'),
  'ko-KR': () => import('./words/ko-KR.ts'),
};

/**
 * The buttons "November" and "2026" of a calendar are named by what stands on them, not over it (a voice command says
 * what it sees).
 */
const readable = (locale: AntdLocale): AntdLocale =>
  locale.DatePicker
    ? {
        ...locale,
        DatePicker: { ...locale.DatePicker, lang: { ...locale.DatePicker.lang, yearSelect: '', monthSelect: '' } },
      }
    : locale;

/** Loads the words of date pickers, tables and pagers and makes dayjs speak the language. */
export async function loadDateWords(tag: LanguageTag): Promise<AntdLocale> {
  const words = (await loaders[tag]()).default;
  dayjs.locale(words.dayjs);
  return readable(words.antd);
}
