const han = /\p{Script=Han}/u;
/** A query shorter than this is looked for at the beginning of words only: it has no trigram of its own. */
const shortWord = 2;

/** Texts and queries are compared in one form: NFKC, lower case. */
export const comparable = (text: string): string => text.normalize('NFKC').toLowerCase();

type Syllables = (text: string) => string[];
let loading: Promise<Syllables> | undefined;
/** The dictionary is heavy: loaded when the first Chinese text comes along. */
const loadSyllables = (): Promise<Syllables> =>
  (loading ??= import('pinyin-pro').then(
    ({ pinyin }) =>
      (text) =>
        pinyin(text, { toneType: 'none', type: 'array', v: true }),
  ));

/** The first two letters of what follows, at every character and at every run of digits or letters within. */
function beginnings(signs: readonly string[], starts: readonly boolean[]): string[] {
  return signs.flatMap((_sign, at) =>
    starts[at]
      ? [
          signs
            .slice(at, at + shortWord)
            .join('')
            .slice(0, shortWord),
        ]
      : [],
  );
}

const kindOf = (sign: string): 'han' | 'digit' | 'letter' | 'other' =>
  han.test(sign) ? 'han' : /\p{N}/u.test(sign) ? 'digit' : /\p{L}/u.test(sign) ? 'letter' : 'other';

/**
 * Words that find a code or a name besides itself, one a line: pinyin and initials of the whole name, and the first two
 * letters from every place where typing may begin (a word, a number, a Chinese character; its pinyin and initials too).
 */
export async function searchWords(code: string | null, name: string | null): Promise<string> {
  const words = new Set<string>();
  for (const text of [code, name]) {
    if (text === null || text === '') continue;
    const signs = [...comparable(text)];
    const kinds = signs.map(kindOf);
    const starts = kinds.map((kind, at) => kind !== 'other' && (kind === 'han' || kind !== kinds[at - 1]));
    for (const word of beginnings(signs, starts)) words.add(word);
    // Codes are also typed without what stands between their parts.
    if (kinds.includes('other')) words.add(signs.filter((_sign, at) => kinds[at] !== 'other').join(''));
    if (!kinds.includes('han')) continue;
    const syllables = (await loadSyllables())(signs.join(''));
    // One syllable a sign, whatever the library makes of the others; where it disagrees the name itself is still found.
    if (syllables.length !== signs.length) continue;
    const spoken = signs.map((sign, at) =>
      kinds[at] === 'han' ? comparable(syllables[at] ?? '') : kinds[at] === 'other' ? '' : sign,
    );
    const initials = spoken.map((syllable) => syllable.slice(0, 1));
    words.add(spoken.join('')).add(initials.join(''));
    for (const word of [...beginnings(spoken, starts), ...beginnings(initials, starts)]) words.add(word);
  }
  return [...words].filter((word) => word !== '').join('\n');
}

/** LIKE patterns over a `search_key` that all have to match: one a word of the query. */
export function searchPatterns(query: string): string[] {
  const words = comparable(query)
    .split(/\s+/u)
    .filter((word) => word !== '')
    .slice(0, 6);
  return words.map((word) => {
    const literal = word.replace(/[\\%_]/g, '\\$&');
    return [...word].length <= shortWord ? `%\n${literal}%` : `%${literal}%`;
  });
}
