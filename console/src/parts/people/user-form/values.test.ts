import { describe, expect, test } from 'vitest';
import {
  bodyOf,
  changesOf,
  differencesOf,
  emptyValues,
  isChanged,
  problemsOf,
  valuesOf,
  type Detail,
  type Field,
  type Values,
} from './values.ts';

const good: Values = {
  imgPath: null,
  username: 'chenhui',
  familyName: '陈',
  name: '慧敏',
  mobile: '13800138000',
  email: 'chenhui@example.com',
  treeLevel: 5,
  roles: [2],
  discTitle: '',
  discDetail: '',
  currentUserPwd: 'x',
  newPassword: '',
};
const at = '2026-11-20T13:00:00.000Z';
const detail: Detail = {
  id: 7,
  userId: 7,
  did: null,
  username: 'chenhui',
  nickname: null,
  familyName: '陈',
  name: '慧敏',
  mobile: '13800138000',
  email: 'chenhui@example.com',
  imgPath: null,
  discTitle: null,
  discDetail: null,
  treeLevel: 3,
  roleIds: '2,5',
  roleNames: '值守,维修',
  createTime: at,
  updateTime: at,
  registerTime: at,
  lastLogin: null,
  version: 4,
};
const length = (min: number, max: number) => ({ rule: 'length', min, max });

describe('the rules (specified 3.3, 3.4), by code points after trimming and NFC', () => {
  test('what is good has no problem', () => {
    for (const mode of ['create', 'edit', 'own'] as const) expect(problemsOf(good, mode)).toEqual({});
  });

  test.each<[Field, string, unknown]>([
    ['username', '', { rule: 'required' }],
    ['username', ' a ', length(2, 10)],
    ['username', 'ab', undefined],
    ['username', 'a'.repeat(10), undefined],
    ['username', 'a'.repeat(11), length(2, 10)],
    ['username', '🔥🏮', undefined],
    ['familyName', '   ', { rule: 'required' }],
    ['familyName', '欧阳', undefined],
    ['familyName', '欧阳氏', length(1, 2)],
    ['familyName', '𠮷', undefined],
    ['familyName', 'e\u0301e\u0301', undefined],
    ['name', '', { rule: 'required' }],
    ['name', '明月心', undefined],
    ['name', '明月心安', length(1, 3)],
    ['mobile', '', { rule: 'required' }],
    ['mobile', ' 19912345678 ', undefined],
    ['mobile', '12912345678', { rule: 'mobile' }],
    ['mobile', '1381234567', { rule: 'mobile' }],
    ['mobile', '138123456789', { rule: 'mobile' }],
    ['mobile', '１３８００１３８０００', { rule: 'mobile' }],
    ['email', '', { rule: 'required' }],
    ['email', 'a@b', { rule: 'email' }],
    ['email', 'a@b.c', { rule: 'email' }],
    ['email', 'a@b.co', undefined],
    ['email', 'a@b.museum', undefined],
    ['email', 'a@b.toolong', { rule: 'email' }],
    ['email', 'a b@c.de', { rule: 'email' }],
    ['discTitle', '', undefined],
    ['discTitle', '夜', length(2, 10)],
    ['discTitle', '夜班', undefined],
    ['discTitle', '夜'.repeat(11), length(2, 10)],
    ['discDetail', '', undefined],
    ['discDetail', '夜', length(2, 18)],
    ['discDetail', '夜'.repeat(18), undefined],
    ['discDetail', '夜'.repeat(19), length(2, 18)],
  ])('%s %j', (field, value, problem) => {
    expect(problemsOf({ ...good, [field]: value }, 'create')[field]).toEqual(problem);
  });

  test('all at once; the name of an existing account is not judged, the own password is asked for', () => {
    expect(Object.keys(problemsOf({ ...emptyValues, treeLevel: null }, 'create')).sort()).toEqual([
      'email',
      'familyName',
      'mobile',
      'name',
      'roles',
      'treeLevel',
      'username',
    ]);
    expect(problemsOf({ ...good, username: 'x', currentUserPwd: '' }, 'edit')).toEqual({
      currentUserPwd: { rule: 'required' },
    });
    expect(problemsOf({ ...good, currentUserPwd: '', roles: [] }, 'own')).toEqual({});
  });
});

describe('what travels', () => {
  test('a new account: trimmed, empty texts as null, level 5 unless told', () => {
    expect(bodyOf({ ...good, username: ' chenhui ', name: ' 慧敏', roles: [5, 2] })).toEqual({
      username: 'chenhui',
      familyName: '陈',
      name: '慧敏',
      mobile: '13800138000',
      email: 'chenhui@example.com',
      imgPath: null,
      discTitle: null,
      discDetail: null,
      treeLevel: 5,
      roles: [2, 5],
    });
  });

  test('an existing one: only what differs', () => {
    const before = valuesOf(detail);
    expect(changesOf({ ...before, familyName: ' 陈 ', roles: [5, 2] }, before)).toEqual({});
    expect(changesOf({ ...before, roles: [2], discTitle: '夜班', mobile: '' }, before)).toEqual({
      roles: [2],
      discTitle: '夜班',
      mobile: null,
    });
    expect(isChanged(before, before)).toBe(false);
    expect(isChanged({ ...before, newPassword: 'x' }, before)).toBe(true);
  });

  test('two versions: only what differs, preset to whoever touched it', () => {
    const before = valuesOf(detail);
    const mine = { ...before, familyName: '成', discTitle: '白班' };
    const theirs = { ...before, familyName: '程', mobile: '13900139000' };
    expect(differencesOf(mine, theirs, before)).toEqual([
      { field: 'familyName', mineByDefault: true },
      { field: 'mobile', mineByDefault: false },
      { field: 'discTitle', mineByDefault: true },
    ]);
  });
});
