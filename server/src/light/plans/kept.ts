import type { DayFacts } from '../../../../catalogue/lighting/plan/calendar.ts';
import type { AssignedPlan, Following } from './lamp-plans.ts';
import type { SchemeVersion, TemplateVersion } from './plans.store.ts';

/** Of each kind; plans and versions are some kilobytes each with their nights. */
const most = 20_000;

/** What was read and made; what never changes is looked for `below` too. */
export interface Kept {
  readonly schemes: Known<number, SchemeVersion>;
  readonly templates: Known<number, TemplateVersion>;
  readonly plans: Known<string, AssignedPlan>;
  readonly facts: Map<string, Promise<DayFacts>>;
  readonly followings: Map<string, Promise<Following>>;
}
export const emptyKept = (below?: Kept): Kept => ({
  schemes: new Known(below?.schemes),
  templates: new Known(below?.templates),
  plans: new Known(below?.plans),
  facts: new Map(),
  followings: new Map(),
});

/** Values by key, looked for in `below` where it has none. */
class Known<K, V> {
  readonly #own = new Map<K, V>();
  readonly #below: Known<K, V> | undefined;
  constructor(below?: Known<K, V>) {
    this.#below = below;
  }
  get(key: K): V | undefined {
    return this.#own.get(key) ?? this.#below?.get(key);
  }
  /** Full, it is emptied before. */
  set(key: K, value: V): void {
    if (this.#own.size >= most) this.#own.clear();
    this.#own.set(key, value);
  }
  clear(): void {
    this.#own.clear();
  }
}

/** What is read by a name, once for all who ask. A failure is not kept; one of others may be of their transaction alone. */
export function keptOrBegun<T>(kept: Map<string, Promise<T>>, key: string, begin: () => Promise<T>): Promise<T> {
  const begun = () => {
    const own = begin();
    if (kept.size >= most) kept.clear();
    kept.set(key, own);
    own.catch(() => {
      if (kept.get(key) === own) kept.delete(key);
    });
    return own;
  };
  const known = kept.get(key);
  return known ? known.catch(begun) : begun();
}

/** The versions with these ids; `kept` gets those that it lacks. */
export async function keptOrLoaded<V extends { readonly id: number }>(
  kept: Known<number, V>,
  ids: readonly (number | null)[],
  load: (ids: readonly number[]) => Promise<readonly V[]>,
): Promise<ReadonlyMap<number, V>> {
  const found = new Map<number, V>();
  const missing = new Set<number>();
  for (const id of ids) {
    if (id === null) continue;
    const known = kept.get(id);
    if (known) found.set(id, known);
    else missing.add(id);
  }
  if (missing.size === 0) return found;
  const loaded = await load([...missing]);
  for (const one of loaded) {
    kept.set(one.id, one);
    found.set(one.id, one);
  }
  return found;
}
