/** The languages every text for people exists in; zh-CN is the source. */
export const languages = ['zh-CN', 'zh-TW', 'en-US', 'fr-FR', 'ja-JP', 'ko-KR'] as const;
export type Language = (typeof languages)[number];
