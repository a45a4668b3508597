/** JSON with the members of every object in the order of their names: equal data is equal text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`)
    .join(',')}}`;
}

export interface Differences {
  readonly onlyTheirs: readonly string[];
  readonly onlyMine: readonly string[];
  /** Changed by both, to different values. */
  readonly both: readonly string[];
}

/**
 * What two people changed who began from the same content, by path. Lists of one length in all three are compared entry
 * by entry; another length is one change of the whole list.
 */
export function threeWay(base: unknown, theirs: unknown, mine: unknown): Differences {
  const found = { onlyTheirs: new Array<string>(), onlyMine: new Array<string>(), both: new Array<string>() };
  const walk = (path: string, values: Three): void => {
    const [was, their, own] = values.map(asText);
    if (their === own) return;
    const names = partsOf(values);
    if (!names) found[was === own ? 'onlyTheirs' : was === their ? 'onlyMine' : 'both'].push(path);
    for (const name of names ?? [])
      walk(path === '' ? name : `${path}.${name}`, [
        part(values[0], name),
        part(values[1], name),
        part(values[2], name),
      ]);
  };
  walk('', [base, theirs, mine]);
  return found;
}

type Three = readonly [unknown, unknown, unknown];
const asText = (value: unknown): string | undefined => (value === undefined ? undefined : canonicalJson(value));
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
function part(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value[Number(name)];
  return isObject(value) ? value[name] : undefined;
}

/** Names of the parts that are compared one by one; undefined: the value is compared whole. */
function partsOf([base, theirs, mine]: Three): readonly string[] | undefined {
  if (isObject(base) && isObject(theirs) && isObject(mine))
    return [...new Set([base, theirs, mine].flatMap((value) => Object.keys(value)))].toSorted();
  if (!Array.isArray(base) || !Array.isArray(theirs) || !Array.isArray(mine)) return undefined;
  return base.length === theirs.length && base.length === mine.length ? Object.keys(base) : undefined;
}
