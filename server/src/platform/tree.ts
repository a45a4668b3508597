/** Whether one of these nodes stands below itself; `parentOf` tells the parents as they would be, 0 is the root. */
export function hasCycle(ids: readonly number[], parentOf: (id: number) => number): boolean {
  const sound = new Set<number>([0]);
  return ids.some((id) => {
    const way = new Set<number>();
    for (let at = id; !sound.has(at); at = parentOf(at)) {
      if (way.has(at)) return true;
      way.add(at);
    }
    way.forEach((at) => sound.add(at));
    return false;
  });
}
