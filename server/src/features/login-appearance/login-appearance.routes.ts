import { getLoginAppearance } from '../../../../contract/specified/sign-in.ts';
import type { Db } from '../../platform/db/index.ts';
import { bind, refuse, type Binding } from '../../platform/http/index.ts';
import { defaultName } from './texts.ts';

/** The branding asked for when nobody has set one yet (S1 section 7). */
const standardId = 1;

export const loginAppearanceRoutes = ({ db }: { db: Db }): Binding[] => [
  bind(getLoginAppearance, async ({ params: { id } }, ctx) => {
    const row = await db.selectFrom('login_appearance').select(['name', 'logo', 'title', 'icon', 'company']).where('id', '=', id).executeTakeFirst();
    if (row) return { code: 0 as const, data: { name: row.name, logo: row.logo, title: row.title, ico: row.icon, ...(row.company ? { company: true as const } : {}) } };
    if (id !== standardId) throw refuse('notFound');
    const name = defaultName(ctx.language);
    return { code: 0 as const, data: { name, logo: null, title: name, ico: null } };
  }),
];
