import { createCanvas } from '@napi-rs/canvas';
import { describe, expect, test } from 'vitest';
import type { CallOptions } from '../../testing/app.ts';
import { usersOffice } from './testing/users.ts';

const { app, fieldsOf, put, account, details, full } = await usersOffice();

describe('the full screen', () => {
  const save = (dto: object, more: object = {}, options: CallOptions = {}) =>
    put(
      '/api/system/cscpUserDetails',
      { cscpUserDetailDTO: dto, currentUserPwd: '', newPassword: '', ...more },
      options,
    );

  test('creates with 201, the stored detail and the password; level 5 unless told; both ids', async () => {
    const made = await app.call<Record<string, unknown>>('/api/cscpUserPids', {
      body: { ...full({ roles: '1', discTitle: '', imgPath: '' }), lastLogin: 0, foreign: 'field' },
    });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      treeLevel: 5,
      roleIds: '1',
      roleNames: 'admin',
      familyName: '周',
      discTitle: null,
      imgPath: null,
      password: expect.any(String) as string,
    });
    expect(made.body['id']).toBe(made.body['userId']);
  });

  test.each<[string, object, string[]]>([
    [
      'everything that is needed',
      { familyName: '', name: null, mobile: '', email: '', roles: [] },
      ['email required', 'familyName required', 'mobile required', 'name required', 'roles required'],
    ],
    [
      'what is too long or too short',
      { familyName: '欧阳修', name: '一二三四', discTitle: '一', discDetail: '一'.repeat(19) },
      ['discDetail maxLength', 'discTitle minLength', 'familyName maxLength', 'name maxLength'],
    ],
    ['a mobile number of another form', { mobile: '12800138000' }, ['mobile format']],
    ['an e-mail without suffix', { email: 'a@b' }, ['email format']],
    ['an e-mail with a suffix of 7', { email: 'a@b.abcdefg' }, ['email format']],
    [
      'a picture that is a drawing',
      {
        imgPath: `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')}`,
      },
      ['imgPath format'],
    ],
    [
      'a picture that only says so',
      { imgPath: `data:image/png;base64,${Buffer.from('no picture').toString('base64')}` },
      ['imgPath format'],
    ],
    [
      'a picture over 1,048,576 characters',
      { imgPath: `data:image/png;base64,${'A'.repeat(1_048_576)}` },
      ['imgPath maxLength'],
    ],
  ])('refuses %s', async (_what, over, expected) => {
    const refused = await app.call('/api/cscpUserPids', { body: full(over) });
    expect(refused.status).toBe(400);
    expect(fieldsOf(refused)).toEqual(expected);
  });

  test('draws an avatar anew', async () => {
    const canvas = createCanvas(900, 900);
    const made = await app.call<{ imgPath: string }>('/api/cscpUserPids', {
      body: full({ imgPath: `data:image/gif;base64,${canvas.toBuffer('image/png').toString('base64')}` }),
    });
    expect(made.body.imgPath).toMatch(/^data:image\/png;base64,/);
  });

  test('asks for the operator’s own password; what family clients compare is the same in every language', async () => {
    const id = await account();
    const wrong = await save(
      { id, ...details },
      { currentUserPwd: app.encrypt('not-this', 'pkcs1') },
      { headers: { 'accept-language': 'en' } },
    );
    expect(wrong.status).toBe(400);
    expect(wrong.body).toMatchObject({
      detail: '管理员密码不正确！',
      message: 'The current login password is wrong',
      code: 2010,
    });
    expect((await save({ id, ...details })).body.detail).toBe('管理员密码不正确！');
    expect((await save({ id, ...details }, { currentUserPwd: 'plain text' })).status).toBe(400);
  });

  test('with the right one changes the account, and a new password by the rule; its sessions end', async () => {
    const operator = await app.makeAccount({ username: 'operator', password: 'Lantern#7x', level: 0 });
    const token = await app.sessions.begin({
      accountId: operator,
      remember: true,
      address: '127.0.0.1',
      userAgent: 'test',
    });
    const id = await account();
    const theirs = await app.sessions.begin({ accountId: id, remember: true, address: '127.0.0.1', userAgent: 'test' });
    const own = { currentUserPwd: app.encrypt('Lantern#7x', 'pkcs1') };
    expect(
      fieldsOf(await save({ id, ...details, email: 'x' }, { ...own, newPassword: app.encrypt('short') }, { token })),
    ).toEqual(['email format', 'newPassword weakPassword']);
    const saved = await save(
      { userId: String(id), ...details, roles: ['1'], roleIds: '9', registerTime: 1_700_000_000_000, lastLogin: null },
      { ...own, newPassword: app.encrypt('Laternen_83') },
      { token },
    );
    expect(saved.body).toMatchObject({ id, familyName: '周', roleIds: '1' });
    expect((await app.call('/api/tbUsers/getSelect', { token: theirs })).status).toBe(401);
    const { username } = (await app.accounts.findById(id)) ?? { username: '' };
    expect((await app.login(username, 'Laternen_83')).body).toMatchObject({ passwordStatus: 0 });
    expect(
      (await save({ id, ...details }, { ...own, newPassword: app.encrypt('Laternen_83') }, { token })).body.code,
    ).toBe(2009);
    expect((await save({ id, ...details, version: 1 }, own, { token })).status).toBe(409);
  });

  test('five wrong ones end the session, however many come at once', async () => {
    const operator = await app.makeAccount({ username: 'guesser', password: 'Lantern#7x', level: 0 });
    const token = await app.sessions.begin({
      accountId: operator,
      remember: true,
      address: '127.0.0.1',
      userAgent: 'test',
    });
    const id = await account();
    const tries = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        save({ id, ...details }, { currentUserPwd: app.encrypt(`guess-${index}`) }, { token }),
      ),
    );
    expect(tries.filter(({ status }) => status === 400)).toHaveLength(5);
    expect((await app.call('/api/tbUsers/getSelect', { token })).status).toBe(401);
  });

  test('the own profile needs no password; roles, level and account name stay; somebody else’s id needs the code', async () => {
    const { accountId, token } = await app.signIn({ username: 'profiler', level: 4 });
    const saved = await save({ id: accountId, ...details, roles: '1', treeLevel: 0, username: 'other' }, {}, { token });
    expect(saved.body).toMatchObject({
      username: 'profiler',
      treeLevel: 4,
      roleNames: 'profiler',
      mobile: details.mobile,
    });
    expect((await save({ id: 1, ...details }, {}, { token })).status).toBe(403);
  });
});
