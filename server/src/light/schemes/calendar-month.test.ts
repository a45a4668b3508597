import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { codes, path, schemeOffice } from './testing/office.ts';

const { app, db, call, frozen } = await schemeOffice(new Date('2027-06-30T02:00:00Z'));

test('the file of a calendar has the same events until a month begins in its area', async () => {
  await sql`UPDATE work_area SET time_zone = CASE id WHEN 21 THEN 'America/New_York' ELSE 'Asia/Shanghai' END`.execute(
    db,
  );
  const [west, east, all] = [await frozen(21), await frozen(20), await frozen(null)];
  const taken = async ({ id }: { readonly id: number }, at: string) => {
    app.clock.set(new Date(at));
    const { token } = await app.signIn({ username: `at-${at}-${id}`, level: 0, permissions: codes });
    const text = (await call(`${path}/${id}/versions/1/calendar-file`, { token })).bytes.toString();
    return { text, first: /DTSTART;VALUE=DATE:(\d+)/.exec(text)?.[1] };
  };
  // The last two evenings of June there.
  const [one, next] = [await taken(west, '2027-06-30T02:00:00Z'), await taken(west, '2027-07-01T02:00:00Z')];
  expect(one.first).toBe('20270601');
  expect(next.text).toBe(one.text);
  expect((await taken(east, '2027-07-01T02:10:00Z')).first).toBe('20270701');
  // One of all areas begins with the last of them.
  expect((await taken(all, '2027-07-01T02:20:00Z')).first).toBe('20270601');
  expect((await taken(west, '2027-07-01T04:10:00Z')).first).toBe('20270701');
});
