// Written by `npm run generate` from the JSON files beside it: zh-CN is the source, each language has the same keys and placeholders.
import enUS from './en-US.json' with { type: 'json' };
import frFR from './fr-FR.json' with { type: 'json' };
import jaJP from './ja-JP.json' with { type: 'json' };
import koKR from './ko-KR.json' with { type: 'json' };
import zhCN from './zh-CN.json' with { type: 'json' };
import zhTW from './zh-TW.json' with { type: 'json' };

export const written = { 'zh-CN': zhCN, 'zh-TW': zhTW, 'en-US': enUS, 'fr-FR': frFR, 'ja-JP': jaJP, 'ko-KR': koKR };
