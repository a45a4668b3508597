import type { Rolldown } from 'vite';
import { unusedPrefix } from './antd.ts';
import { textsPrefix } from './texts.ts';

/** Modules by what needs them, through static imports. */
interface Reach {
  readonly layer: ReadonlyMap<string, Layer>;
  readonly signIn: ReadonlySet<string>;
  /** The pages, and what is loaded later, that need a module. */
  readonly users: (id: string) => readonly string[];
  /** Whether the map's package comes with a module. */
  readonly needsMap: (id: string) => boolean;
}

/** English is antd's own standard, and comes with its code. */
const isWords = (id: string): boolean => /\/locale\/(?!en_US)[a-z]{2}([_-][A-Za-z]{2})?\.js$/.test(id);
/** The page control's own standard is Chinese: lists need its words in every language, Chinese needs them without lists. */
const isStandardWords = (id: string): boolean => id.endsWith('/@rc-component/pagination/es/locale/zh_CN.js');
// What stands for a module of a package goes where the package goes: the other way round they would need each other.
const isPackage = (id: string): boolean => id.includes('/node_modules/') || id.startsWith(unusedPrefix);

/**
 * What comes together, in its order: a module belongs to the first that needs it. `console` is what the first page of
 * every session needs, `dialogs` what opens over a page, the
 * search among it, `lists` what nearly every page of the menu needs; the heavy packages stay apart from both.
 */
const layers = {
  console: /\/console\/(index\.html|src\/screens\/light\/home\/index\.tsx)$/,
  map: /\/node_modules\/(maplibre-gl|pmtiles)\/.*\/[\w-]+\.m?js$/,
  dialogs: /\/node_modules\/antd\/es\/(modal|drawer)\/index\.js$/,
  lists: /\/console\/src\/parts\/lists\/(ListFrame|SearchPanel)\.tsx$/,
  dates: /\/node_modules\/antd\/es\/date-picker\/index\.js$/,
} as const;
type Layer = keyof typeof layers;

function groupOf(id: string, { layer, signIn, users, needsMap }: Reach): string | null {
  if (isStandardWords(id)) return 'common';
  // Texts, names of the catalogue and words of antd in one language come by the module that asks for them.
  if (id.endsWith('.json') || id.includes(textsPrefix) || isWords(id)) return null;
  const by = users(id);
  const own = layer.get(id);
  if (own === 'console')
    return signIn.has(id) ? 'common' : isPackage(id) ? 'packages' : by.length === 1 ? null : 'console';
  if (by.length < 2) return null;
  if (own !== undefined) return own;
  // What a module imports has at least its users: a chunk of many users never brings one of few.
  const scope = by.length >= usersOf.most ? 'most' : by.length >= usersOf.many ? 'many' : scopeOf(by);
  return scope === null ? null : `${scope}${needsMap(id) ? '-map' : ''}`;
}

/** From how many users on a module is among those that most, many or some pages share. */
const usersOf = { most: 18, many: 8, some: 3 } as const;

/** Those of a few screens come by the wings of these; of two screens, as the bundler cuts them. */
function scopeOf(by: readonly string[]): string | null {
  if (by.length < usersOf.some) return null;
  const wings = new Set(by.map((user) => /\/console\/src\/screens\/([^/]+)\//.exec(user)?.[1] ?? 'shell'));
  return [...wings].toSorted().join('-');
}

function reachOf(context: Rolldown.ChunkingContext, root: string): Reach {
  const entries = new Set<string>();
  const all = new Set<string>();
  const follow = (starts: readonly string[], known: { has: (id: string) => boolean }): Set<string> => {
    const found = new Set<string>();
    const open = [...starts];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (found.has(id) || known.has(id)) continue;
      found.add(id);
      all.add(id);
      open.push(...(context.getModuleInfo(id)?.importedIds ?? []));
      for (const later of context.getModuleInfo(id)?.dynamicallyImportedIds ?? []) entries.add(later);
    }
    return found;
  };
  const none = new Set<string>();
  const signIn = follow([`${root}sign-in.html`], none);
  const start = follow([`${root}index.html`], none);
  const byModule = new Map<string, string[]>([...start].map((id) => [id, [`${root}index.html`, `${root}index.html`]]));
  for (const entry of entries)
    for (const id of follow([entry], none)) byModule.set(id, [...(byModule.get(id) ?? []), entry]);
  const layer = new Map<string, Layer>();
  for (const name of Object.keys(layers) as Layer[])
    for (const id of follow(
      [...all].filter((one) => layers[name].test(one)),
      layer,
    ))
      layer.set(id, name);
  const needsMap = (id: string): boolean => [...follow([id], none)].some((one) => layer.get(one) === 'map');
  return { layer, signIn, users: (id) => byModule.get(id) ?? [], needsMap };
}

/**
 * How the console is cut into files: few large ones that many pages share, one for each screen. A first opening of a
 * page asks for about fifteen.
 */
export function groups(root: string): Rolldown.CodeSplittingGroup[] {
  let reach: Reach | undefined;
  return [
    {
      includeDependenciesRecursively: false,
      name: (id, context) => groupOf(id, (reach ??= reachOf(context, root))),
    },
  ];
}
