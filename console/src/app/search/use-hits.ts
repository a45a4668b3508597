import { useMemo } from 'react';
import { isLamp } from '../../../../catalogue/lighting/families.ts';
import type { SearchKind } from '../../../../contract/register/search.ts';
import { useNames } from '../../locales/catalogue-names.ts';
import { iconNameOf } from '../../parts/icons/Icon.tsx';
import { useMenu, useMenuTitle } from '../../frame/menu/menu-context.ts';
import { findablePages, findMenus, type Findable } from './find-menus.ts';
import type { Romanise } from '../../locales/pinyin.ts';
import type { Hit, HitGroup } from './hits.ts';
import { addressOf, type Thing } from './places.ts';
import { useActionHits } from './use-action-hits.ts';
import { useCommandHits } from './use-command-hits.ts';
import { useRecent, type Recent } from './use-recent.ts';
import { useThings } from './use-things.ts';

export type { Hit, HitGroup } from './hits.ts';

const thingOrder = ['road', 'pole', 'device'] as const satisfies readonly SearchKind[];
const icons = { pole: 'pole', device: 'controller', road: 'road' } as const;

const ofPage = ({ page, title, path }: Findable): Hit => ({
  key: page.path,
  icon: iconNameOf(page.icon),
  code: null,
  title,
  place: path,
  go: { address: page.path, recent: { kind: 'page', path: page.path } },
});

/** Pages and things that a text finds, by group; without a text what was opened last, then all pages. */
export function useHits(text: string, romanise: Romanise) {
  const menu = useMenu();
  const titleOf = useMenuTitle();
  const names = useNames();
  const [recent, remember] = useRecent();
  const things = useThings(text);
  const commands = useCommandHits(text, romanise);
  const actions = useActionHits(text, romanise);
  const pages = useMemo(() => findablePages(menu, titleOf, romanise), [menu, titleOf, romanise]);

  const ofThing = (
    kind: SearchKind,
    thing: Pick<Thing, 'id' | 'family' | 'code' | 'name'>,
    place: string | null,
  ): Hit[] => {
    const address = addressOf(menu, kind, thing);
    const what = thing.family !== null && kind === 'device' ? names.family(thing.family) : null;
    const { id, family, code, name } = thing;
    return address === undefined
      ? []
      : [
          {
            key: `${kind}-${id}`,
            icon: iconNameOf(isLamp(family) ? 'lamp' : icons[kind]),
            code,
            title: name ?? '',
            place: [what, place].filter((part) => part !== null).join(' · '),
            go: { address, recent: { kind, id, family, code, name } },
            ...(kind === 'road' ? { about: { kind: 'lamps' as const, query: { roadIds: String(id) } } } : {}),
          },
        ];
  };
  const ofRecent = (one: Recent): Hit[] => {
    const hits =
      one.kind === 'page'
        ? pages.filter(({ page }) => page.path === one.path).map(ofPage)
        : ofThing(one.kind, one, null);
    return hits.map((hit) => ({ ...hit, key: `recent-${hit.key}` }));
  };

  const { near, far } = findMenus(pages, text);
  const asked: HitGroup = { key: 'commands', hits: commands.hits };
  const groups: HitGroup[] = [
    { key: 'recent', hits: text.trim() === '' ? recent.flatMap(ofRecent) : [] },
    ...(commands.named ? [asked] : []),
    ...(text.trim() === '' ? [{ key: 'actions' as const, hits: actions }] : []),
    { key: 'pages', hits: near.map(ofPage) },
    // A verb alone may be a part of a page's name.
    ...(commands.named ? [] : [asked]),
    // A road before the poles that stand at it.
    ...thingOrder.map((kind): HitGroup => ({
      key: kind,
      hits: things.groups
        .filter((group) => group.kind === kind)
        .flatMap(({ items }) => items.flatMap((item) => ofThing(kind, item, item.place))),
    })),
    ...(text.trim() === '' ? [] : [{ key: 'actions' as const, hits: actions }]),
    // What only has the letters in order is a guess: it comes last.
    { key: 'morePages', hits: far.map(ofPage) },
  ];
  return {
    groups: groups.filter(({ hits }) => hits.length > 0),
    settled: things.settled && commands.settled,
    error: things.error,
    retry: things.refetch,
    remember,
  };
}
