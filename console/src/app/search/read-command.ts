/** What can be asked of the lamps of a place by a sentence in the search. */
export const verbs = ['on', 'off', 'dim', 'auto'] as const;
export type Verb = (typeof verbs)[number];

/** A sentence that begins or ends with a verb. */
export interface ReadCommand {
  readonly verb: Verb;
  /** Percent of full light; null: none was said. */
  readonly level: number | null;
  /** What else was said, by words, lower case: the place. */
  readonly place: readonly string[];
}

const letter = /[\p{Script=Latin}]/u;

/** What is left of a text without a verb at its beginning or end; a Latin word counts as a whole only. */
function without(text: string, word: string): string | undefined {
  const isWord = letter.test(word);
  if (text.startsWith(word)) {
    const rest = text.slice(word.length);
    if (!isWord || !letter.test(rest[0] ?? ' ')) return rest;
  }
  if (text.endsWith(word)) {
    const rest = text.slice(0, -word.length);
    if (!isWord || !letter.test(rest.at(-1) ?? ' ')) return rest;
  }
  return undefined;
}

/** Of all verbs that a text may mean the longest, with what is left of the text. */
function verbOf(text: string, words: Readonly<Record<Verb, readonly string[]>>): [Verb, string] | undefined {
  const found = verbs
    .flatMap((verb) => words[verb].map((word) => ({ verb, word, rest: without(text, word) })))
    .filter(({ word, rest }) => word !== '' && rest !== undefined)
    .toSorted((a, b) => b.word.length - a.word.length)[0];
  return found && [found.verb, found.rest ?? ''];
}

/** "关灯 滨江大道", "dim 60% G04", "60% 調光 浜江": the verb by the words of the language; undefined: no verb. */
export function readCommand(text: string, words: Readonly<Record<Verb, readonly string[]>>): ReadCommand | undefined {
  const said = text.normalize('NFKC').trim().toLowerCase();
  const found = verbOf(said, words);
  if (found === undefined) return undefined;
  const [verb, rest] = found;
  const percent = verb === 'dim' ? (/(\d{1,3})\s*%/.exec(rest) ?? /^\s*(\d{1,3})(?=\s|$)/.exec(rest)) : null;
  const level = percent === null ? null : Math.min(100, Number(percent[1]));
  const place = (percent === null ? rest : rest.replace(percent[0], ' ')).split(/\s+/).filter((word) => word !== '');
  return { verb, level, place };
}
