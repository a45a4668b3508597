import type { Language } from '../../../../catalogue/languages.ts';
import { isCommon } from './common-passwords.ts';
import { written } from './texts/index.ts';

/** The texts of this subject. */
export interface AccountTexts {
  readonly passwordRule: string;
}

const texts: Readonly<Record<Language, AccountTexts>> = written;

/** The password rule as plain text in one language. */
export const passwordRuleText = (language: Language): string => texts[language].passwordRule;

/** The rows of a US keyboard; the number row also with shift held. */
const keyboardRows = ['`1234567890-=', '~!@#$%^&*()_+', 'qwertyuiop[]\\', "asdfghjkl;'", 'zxcvbnm,./'];
const runLength = 4;
const runs = new Set(
  keyboardRows
    .flatMap((row) => [row, [...row].toReversed().join('')])
    .flatMap((row) =>
      Array.from({ length: row.length - runLength + 1 }, (_, start) => row.slice(start, start + runLength)),
    ),
);

export type PasswordWeakness = 'length' | 'kinds' | 'keyboard' | 'name' | 'common';

/**
 * What is wrong with a new password; nothing when it meets the rule. That it is none of the last five is checked
 * elsewhere.
 */
export async function passwordWeaknesses(password: string, username: string): Promise<PasswordWeakness[]> {
  const characters = [...password];
  const lower = password.toLowerCase();
  const name = username.trim().toLowerCase();
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\p{Nd}/u, /[^\p{Ll}\p{Lu}\p{Nd}]/u].filter((kind) =>
    kind.test(password),
  ).length;
  const weaknesses: PasswordWeakness[] = [];
  if (characters.length < 8 || characters.length > 20) weaknesses.push('length');
  if (kinds < 3) weaknesses.push('kinds');
  if (
    Array.from({ length: Math.max(0, lower.length - runLength + 1) }, (_, start) =>
      lower.slice(start, start + runLength),
    ).some((run) => runs.has(run))
  )
    weaknesses.push('keyboard');
  if (name !== '' && (lower.includes(name) || lower.normalize('NFKC').includes(name.normalize('NFKC'))))
    weaknesses.push('name');
  // A long text is refused for its length alone.
  if (characters.length <= 20 && (await isCommon(password))) weaknesses.push('common');
  return weaknesses;
}
