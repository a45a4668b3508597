import type { Language } from '../../../../catalogue/languages.ts';
import { written } from './texts/index.ts';

/** The texts of this subject; `{n}` is a number. */
export interface SignInTexts {
  readonly days: string;
  readonly hours: string;
  readonly minutes: string;
  readonly seconds: string;
  /** What stands between the parts of a duration. */
  readonly between: string;
  readonly passwordChanged: string;
}

const all: Readonly<Record<Language, SignInTexts>> = written;

export const signInTexts = (language: Language): SignInTexts => all[language];

/** A lock time in days, hours, minutes and seconds; parts that are zero are left out. */
export function durationText(language: Language, seconds: number): string {
  const texts = signInTexts(language);
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), texts.days],
    [Math.floor(seconds / 3600) % 24, texts.hours],
    [Math.floor(seconds / 60) % 60, texts.minutes],
    [seconds % 60, texts.seconds],
  ];
  const filled = parts.filter(([count]) => count > 0).map(([count, text]) => text.replace('{n}', String(count)));
  return filled.length > 0 ? filled.join(texts.between) : texts.seconds.replace('{n}', '0');
}
