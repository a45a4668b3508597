/**
 * What a user agent says of the browser and the system it runs on; both are proper names and the same in every
 * language.
 */
export interface Device {
  browser: string | undefined;
  system: string | undefined;
  isPhone: boolean;
}

type Mark = readonly [name: string, pattern: RegExp];

/** The first that matches counts: most browsers also claim to be Chrome and Safari. */
const browsers: readonly Mark[] = [
  ['WeChat', /MicroMessenger\/(\d+)/],
  ['Edge', /Edg(?:e|A|iOS)?\/(\d+)/],
  ['Opera', /OPR\/(\d+)/],
  ['Samsung Internet', /SamsungBrowser\/(\d+)/],
  ['Huawei Browser', /HuaweiBrowser\/(\d+)/],
  ['Quark', /Quark\/(\d+)/],
  ['UC Browser', /UC(?:Browser|WEB)\/?(\d+)/],
  ['QQ Browser', /M?QQBrowser\/(\d+)/],
  ['360', /(?:QIHU|360SE|360EE)()/i],
  ['Firefox', /(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /(?:Headless)?(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /Version\/(\d+)[\d.]* (?:Mobile\/\S+ )?Safari\//],
  ['curl', /^curl\/(\d+)/],
  ['Node.js', /^(?:node|undici)()/],
];
const systems: readonly Mark[] = [
  ['HarmonyOS', /HarmonyOS|OpenHarmony/],
  ['iPadOS', /iPad/],
  ['iOS', /iPhone|iPod/],
  ['Android', /Android/],
  ['Windows', /Windows NT/],
  ['macOS', /Mac OS X|Macintosh/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux|X11/],
];

/** Reads a user agent; whatever it does not know stays undefined. */
export function deviceOf(userAgent: string | null): Device {
  const text = userAgent ?? '';
  const browser = browsers.find(([, pattern]) => pattern.test(text));
  const version = browser?.[1].exec(text)?.[1];
  return {
    browser: browser && (version ? `${browser[0]} ${version}` : browser[0]),
    system: systems.find(([, pattern]) => pattern.test(text))?.[0],
    isPhone: /iPhone|iPod|Android.*Mobile|HarmonyOS.*Mobile|\bMobile\b.*Firefox/.test(text),
  };
}
