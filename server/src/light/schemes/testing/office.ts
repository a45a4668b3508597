import { sql } from 'kysely';
import { exampleScheme } from '../../../../../catalogue/lighting/plan/examples.ts';
import type { getScheme, getSchemeVersion, listSchemes } from '../../../../../contract/light/schemes.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { testApp } from '../../../testing/app.ts';
import { testClock } from '../../../testing/clock.ts';
import { schemesRoutes } from '../index.ts';

export type Scheme = ReplyOf<typeof getScheme>;
export type Version = ReplyOf<typeof getSchemeVersion>;
export interface Refused {
  readonly code: number;
  readonly params: readonly { readonly field: string; readonly rule: string }[];
}
export const path = '/api/v1/schemes';
export const codes = ['plan.query', 'plan.edit'];

/** An office that makes schemes: its application, its people, and what they do again and again. One for each file. */
export async function schemeOffice(now?: Date) {
  const app = await testApp({ routes: schemesRoutes, ...(now ? { clock: testClock(now) } : {}) });
  const { db } = app;
  const { token: planner } = await app.signIn({ username: 'chief', level: 0, permissions: codes });
  const call: typeof app.call = (path, options = {}) => app.call(path, { token: planner, ...options });
  let count = 0;
  await sql`INSERT INTO work_area (id, work_code, work_name) VALUES (20, 'E', '城东'), (21, 'W', '城西')`.execute(db);
  const east = (await app.signIn({ username: 'east', permissions: codes, workAreas: [20] })).token;

  const named = (reply: { body: unknown }) =>
    (reply.body as Refused).params.map(({ field, rule }) => `${field} ${rule}`).toSorted();
  const create = async (workAreaId: number | null = 20) =>
    (await call<Scheme>(path, { body: { code: `S-${(count += 1)}`, name: '节能方案', workAreaId } })).body;
  const save = (id: number, version: number, content: unknown = exampleScheme(), token?: string) =>
    call<Scheme>(`${path}/${id}/draft`, { method: 'PUT', body: { version, content }, ...(token ? { token } : {}) });
  const freeze = (id: number, version: number, note?: string) =>
    call<Version>(`${path}/${id}/versions`, { body: { version, ...(note === undefined ? {} : { note }) } });
  const listed = async (query: string, token?: string) =>
    (await call<ReplyOf<typeof listSchemes>>(`${path}?${query}`, token ? { token } : {})).body;
  /** A scheme with one frozen version. */
  async function frozen(workAreaId: number | null = 20, content = exampleScheme()) {
    const { id } = await create(workAreaId);
    await save(id, 1, content);
    return { id, version: (await freeze(id, 2, '第一版')).body };
  }
  return { app, db, call, east, named, create, save, freeze, listed, frozen };
}
