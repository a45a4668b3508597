/** Contents by path: `programmes.0.programme.periods.1.level`. */

type Members = Readonly<Record<string, unknown>>;
const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

export const valueAt = (content: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, part) => (typeof value === 'object' && value !== null ? (value as Members)[part] : undefined),
      content,
    );

/** The content with another value at the path; what is not there is not made. */
export function withValueAt<C>(content: C, path: string, value: unknown): C {
  const put = (node: unknown, [part, ...rest]: readonly string[]): unknown => {
    if (part === undefined) return value;
    if (Array.isArray(node))
      return node.map((entry: unknown, index) => (String(index) === part ? put(entry, rest) : entry));
    return isMembers(node) ? { ...node, [part]: put(node[part], rest) } : node;
  };
  return put(content, path === '' ? [] : path.split('.')) as C;
}

/** The paths at which two contents differ, as deep as they go; lists of different length differ as a whole. */
export function differingPaths(one: unknown, other: unknown, path = ''): string[] {
  if (isSame(one, other)) return [];
  const below = (part: string): string => (path === '' ? part : `${path}.${part}`);
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length)
    return one.flatMap((entry: unknown, index) => differingPaths(entry, other[index], below(String(index))));
  if (isMembers(one) && isMembers(other)) {
    const names = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...names].flatMap((name) => differingPaths(one[name], other[name], below(name)));
  }
  return [path];
}
