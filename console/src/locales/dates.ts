import dayjs from 'dayjs';
import utc from 'dayjs/plugin/utc';
import timezone from 'dayjs/plugin/timezone';
import type { Locale as AntdLocale } from 'antd/es/locale';
import type { LanguageTag } from '../session/index.ts';

dayjs.extend(utc);
dayjs.extend(timezone);

/** antd's and dayjs's words of one language, each a chunk of its own. */
const loaders: Record<LanguageTag, () => Promise<[AntdLocale, string]>> = {
  'zh-CN': async () => [
    (await import('antd/es/locale/zh_CN')).default,
    (await import('dayjs/locale/zh-cn')).default.name,
  ],
  'zh-TW': async () => [
    (await import('antd/es/locale/zh_TW')).default,
    (await import('dayjs/locale/zh-tw')).default.name,
  ],
  'en-US': async () => [(await import('antd/es/locale/en_US')).default, 'en'],
  'fr-FR': async () => [(await import('antd/es/locale/fr_FR')).default, (await import('dayjs/locale/fr')).default.name],
  'ja-JP': async () => [(await import('antd/es/locale/ja_JP')).default, (await import('dayjs/locale/ja')).default.name],
  'ko-KR': async () => [(await import('antd/es/locale/ko_KR')).default, (await import('dayjs/locale/ko')).default.name],
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
  const [antdLocale, dayjsName] = await loaders[tag]();
  dayjs.locale(dayjsName);
  return readable(antdLocale);
}
