import type { Transaction } from '../../platform/db/index.ts';

/** One declared menu entry with what hangs below it; its name is unique in the declaration. */
export interface MenuSeed {
  readonly type: 'menu1' | 'menu2' | 'menu2-sp' | 'non-menu' | 'button';
  readonly name: string;
  readonly title: string;
  readonly icon?: string;
  readonly url?: string;
  readonly component?: string;
  readonly permissionCode?: string;
  /** The console's key of its title. */
  readonly language?: string;
  readonly children?: readonly MenuSeed[];
}

const settingName = 'installation.menu';

interface Place {
  readonly parentId: number | null;
  readonly path: string;
}

/**
 * Inserts the declared entries that this database never had and grants them to the first role. What was seeded once is
 * remembered by its path of names: an entry the administrator moved, renamed or deleted does not come back.
 */
export async function addMissingEntries(tx: Transaction, menu: readonly MenuSeed[], roleId: number): Promise<void> {
  const row = await tx.selectFrom('setting').select('value').where('name', '=', settingName).executeTakeFirst();
  const seeded = new Map(Object.entries((row?.value ?? {}) as Record<string, number>));
  const before = seeded.size;
  const add = async (entries: readonly MenuSeed[], place: Place): Promise<void> => {
    for (const [index, entry] of entries.entries()) {
      const path = place.path ? `${place.path}/${entry.name}` : entry.name;
      const id = seeded.get(path) ?? (await insert(tx, entry, place.parentId, index));
      seeded.set(path, id);
      await add(entry.children ?? [], { parentId: id, path });
    }
  };
  await add(menu, { parentId: null, path: '' });
  if (seeded.size === before) return;
  await tx
    .insertInto('role_menu')
    .columns(['role_id', 'menu_id'])
    .expression((from) =>
      from
        .selectFrom('menu_entry')
        .select((entry) => [entry.lit(roleId).as('role_id'), 'id'])
        .where('id', 'in', [...seeded.values()]),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const value = JSON.stringify(Object.fromEntries(seeded));
  await tx
    .insertInto('setting')
    .values({ name: settingName, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

async function insert(tx: Transaction, entry: MenuSeed, parentId: number | null, index: number): Promise<number> {
  const parent =
    parentId === null
      ? undefined
      : await tx.selectFrom('menu_entry').select('id').where('id', '=', parentId).executeTakeFirst();
  const made = await tx
    .insertInto('menu_entry')
    .values({
      // A parent the administrator deleted leaves its new children at the top.
      parent_id: parent?.id ?? null,
      type: entry.type,
      name: entry.name,
      title: entry.title,
      icon: entry.icon ?? null,
      url: entry.url ?? null,
      component: entry.component ?? null,
      permission_code: entry.permissionCode ?? null,
      language: entry.language ?? null,
      sort_order: index,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return made.id;
}
