import { createHash } from 'node:crypto';

/** What is worth knowing of the names in some values; families have few such sets. */
interface Names {
  /**
   * 1 to 2^52, for the same names in whatever order the same; two sets with one number are not to be expected in the
   * life of a site.
   */
  readonly number: number;
  /** In the order in which the database keeps them: shorter ones first. */
  readonly sorted: readonly string[];
  /** What stands before each value in JSON. */
  readonly before: readonly string[];
}

const seen = new Map<string, Names>();
const most = 10_000;

/** The names in some values. */
export function namesOf(values: Readonly<Record<string, unknown>>): Names {
  const keys = Object.keys(values);
  const text = keys.join(' ');
  let names = seen.get(text);
  if (!names) {
    if (seen.size >= most) seen.clear();
    names = look(keys);
    seen.set(text, names);
  }
  return names;
}

function look(keys: readonly string[]): Names {
  const sorted = keys.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1));
  return {
    number: Number(createHash('sha256').update(sorted.join(' ')).digest().readBigUInt64BE() >> 12n) + 1,
    sorted,
    before: sorted.map((key, index) => `${index === 0 ? '{' : ','}${JSON.stringify(key)}:`),
  };
}

/**
 * Values as JSON, with what is known of their names: these in the order in which the database keeps them: it need not
 * sort them, which takes it a microsecond.
 */
export function jsonOf(values: Readonly<Record<string, unknown>>, { sorted, before }: Names = namesOf(values)): string {
  if (sorted.length === 0) return '{}';
  let json = '';
  for (let index = 0; index < sorted.length; index += 1) {
    const value = values[sorted[index] ?? ''];
    json += before[index] + (typeof value === 'number' ? String(value) : JSON.stringify(value));
  }
  return `${json}}`;
}
