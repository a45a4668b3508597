import { expect, test } from 'vitest';
import { testApp } from '../../testing/app.ts';
import { bind } from '../../platform/http/index.ts';
import { listUserOptions } from '../../../../contract/specified/work-groups.ts';
import { findUserOptions } from './user-options.store.ts';

const app = await testApp({
  routes: ({ db }) => [bind(listUserOptions, ({ query }, { caller }) => findUserOptions(db, caller, query))],
});
const { token } = await app.signIn({ username: 'chooser', permissions: ['cscp.org.edit', 'cscp.user.query'] });
const { accountId: plainId, token: plain } = await app.signIn({ username: 'plain', permissions: ['cscp.org.edit'] });
const person = async (username: string, fields: object = {}): Promise<number> =>
  (
    await app.db
      .insertInto('account')
      .values({ username, name_key: username.toLowerCase(), password_hash: '-', ...fields })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
const lamp = await person('Lampman', {
  family_name: '路',
  given_name: '灯',
  mobile: '13800001111',
  email: 'pole@example.com',
  title: '班长',
  description: '夜班巡检',
});
const wide = await person('zhaoliu', { family_name: '赵', given_name: 'ＬＡＭＰ' });
interface Options {
  data: {
    id: number;
    userId: number;
    username: string;
    familyName: string | null;
    name: string | null;
    mobile: string | null;
  }[];
  recordsTotal: number;
}
const find = async (query: Record<string, string>, as = token) =>
  (await app.call<Options>(`/api/system/cscpUserDetailsOr?${new URLSearchParams(query)}`, { token: as })).body;
const anywhere = (text: string) =>
  Object.fromEntries(
    ['username', 'familyName', 'name', 'mobile', 'email', 'discTitle', 'discDetail'].map((field) => [field, text]),
  );

test('an option is named by family name, name, user name and mobile', async () => {
  expect((await find({ username: 'lampman', size: '1000' })).data).toEqual([
    { id: lamp, userId: lamp, familyName: '路', name: '灯', username: 'Lampman', mobile: '13800001111' },
  ]);
});

test.each([
  ['the same text in every field: any match counts, whatever the case and width', anywhere('lamp'), [lamp, wide]],
  ['a part of a mobile number', anywhere('0000111'), [lamp]],
  ['a part of an address', anywhere('POLE@'), [lamp]],
  ['a description', anywhere('巡检'), [lamp]],
  ['a text is looked for in its own field only', { name: 'lamp' }, [wide]],
  ['different texts, either may match', { familyName: '赵', discTitle: '班长' }, [lamp, wide]],
  ['no such text', anywhere('nobody at all'), []],
  ['signs that mean something to the database mean nothing here', anywhere('%'), []],
  ['chosen ones by their ids', { ids: `${wide},${lamp}` }, [lamp, wide]],
])('%s', async (_what, query: Record<string, string>, ids) => {
  const found = await find(query);
  expect([found.data.map(({ id }) => id), found.recordsTotal]).toEqual([ids, ids.length]);
});

test('without a text everybody, in pages from 1, and 0 is the first too', async () => {
  const all = await find({});
  const pages = [await find({ size: '2', page: '1' }), await find({ size: '2', page: '2' })];
  expect(pages.flatMap(({ data }) => data)).toEqual(all.data.slice(0, 4));
  expect(pages[0]?.recordsTotal).toBe(all.data.length);
  expect(await find({ size: '2', page: '0' })).toEqual(pages[0]);
});

test('who may not look at accounts sees telephone numbers masked, but his own, and does not find them digit by digit', async () => {
  await app.db.updateTable('account').set({ mobile: '13912345678' }).where('id', '=', plainId).execute();
  const { data } = await find({}, plain);
  expect(data.flatMap(({ id, mobile }) => (mobile === null ? [] : [[id, mobile]]))).toEqual([
    [plainId, '13912345678'],
    [lamp, '138****1111'],
  ]);
  expect((await find({ mobile: '0000' }, plain)).data).toEqual([]);
  expect((await find(anywhere('0000111'), plain)).data).toEqual([]);
  expect((await find({ mobile: '0000' })).data.map(({ id }) => id)).toEqual([lamp]);
});
