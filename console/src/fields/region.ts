/** A region and those within it; `value` is known once in the whole tree. */
export interface Region {
  value: string;
  label: string;
  children?: Region[];
}

/** From the root down to the region of this value: their values; empty when there is none such. */
export function pathOf(value: string, among: readonly Region[]): string[] {
  for (const one of among) {
    if (one.value === value) return [value];
    const below = pathOf(value, one.children ?? []);
    if (below.length > 0) return [one.value, ...below];
  }
  return [];
}
