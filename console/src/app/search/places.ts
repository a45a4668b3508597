import { isLamp } from '../../../../catalogue/lighting/families.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { pageOfFamily } from '../../../../contract/family-pages.ts';
import type { search, SearchKind } from '../../../../contract/register/search.ts';
import { deviceAddress } from '../../frame/menu/device-pages.ts';
import type { MenuModel, PageRoute } from '../../frame/menu/menu.ts';

/** A thing of the city that the search found. */
export type Thing = ReplyOf<typeof search>['groups'][number]['items'][number];

/** The page that lists the devices of this family. */
function listOf(pages: readonly PageRoute[], family: string | null): PageRoute | undefined {
  const name = pageOfFamily(family);
  return name && pages.find(({ screen }) => screen === name);
}

/**
 * The address at which a thing opens, among the pages the account has; undefined: it has none for it. A lamp opens
 * where it is controlled, a pole or another device at its own page or else in its list, a road with the lamps that
 * stand at it.
 */
export function addressOf(
  menu: MenuModel,
  kind: SearchKind,
  { id, family }: Pick<Thing, 'id' | 'family'>,
): string | undefined {
  const screen = (name: string): PageRoute | undefined => menu.pages.find((page) => page.screen === name);
  if (kind === 'road') {
    const lamps = screen('lamp/monitor');
    const roads = screen('asset/roads');
    return lamps ? `${lamps.path}?view=list&roads=${id}` : roads && `${roads.path}?open=${id}`;
  }
  const own = isLamp(family) ? screen('lamp/device') : undefined;
  if (own) return own.path.replace(/:\w+/, String(id));
  const page = deviceAddress(menu.pages, family, id);
  if (page !== undefined) return page;
  const list = listOf(menu.pages, family);
  return list && `${list.path}?open=${id}`;
}
