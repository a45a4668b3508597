import { refuseProblems } from '../../platform/http/index.ts';

/** A place in a list: behind (or before) the device with this key and id, in this part of the order. */
export interface Place {
  readonly part: number;
  readonly key: string | null;
  readonly id: number;
}

/** The place as callers carry it; it is good for the order it was made in only. */
export const cursorOf = (sort: string, { part, key, id }: Place): string =>
  Buffer.from(JSON.stringify([sort, part, key, id])).toString('base64url');

/** Reads what `cursorOf` made; refuses by the name of the parameter what is none, or of another order. */
export function placeOf(
  field: 'after' | 'before',
  cursor: string,
  sort: string,
  parts: readonly { readonly keyed: boolean; fits(key: string): boolean }[],
): Place {
  const [madeFor, part, key, id] = parsed(cursor);
  const at = typeof part === 'number' ? parts[part] : undefined;
  const fits = at !== undefined && (at.keyed ? typeof key === 'string' && at.fits(key) : key === null);
  if (madeFor !== sort || !fits || !Number.isSafeInteger(id) || (id as number) < 0)
    throw refuseProblems([{ field, rule: 'option' }]);
  return { part: part as number, key: key as string | null, id: id as number };
}

function parsed(cursor: string): readonly unknown[] {
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(read) ? read : [];
  } catch {
    return [];
  }
}
