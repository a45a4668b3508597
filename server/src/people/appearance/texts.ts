import type { Language } from '../../../../catalogue/languages.ts';

/** What the product is called while no branding is set, in every language. */
const names: Readonly<Record<Language, string>> = {
  'zh-CN': '智慧灯杆管理平台',
  'zh-TW': '智慧燈桿管理平臺',
  'en-US': 'Smart lamp pole management platform',
  'fr-FR': 'Plateforme de gestion des mâts d’éclairage intelligents',
  'ja-JP': 'スマート街路灯ポール管理プラットフォーム',
  'ko-KR': '스마트 가로등주 관리 플랫폼',
};

export const defaultName = (language: Language): string => names[language];
