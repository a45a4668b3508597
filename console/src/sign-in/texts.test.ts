import { expect, test } from 'vitest';

const files = import.meta.glob<Record<string, string>>('./texts/*.json', { eager: true, import: 'default' });
const of = (tag: string): Record<string, string> => files[`./texts/${tag}.json`] ?? {};
const others = ['zh-TW', 'en-US', 'fr-FR', 'ja-JP', 'ko-KR'];
const placeholders = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();

/** The same in both scripts, or the same word in both languages. */
const allowed = new Set(
  ['captchaWrong', 'days', 'days.one', 'minutes', 'minutes.one', 'seconds', 'seconds.one'].map((key) => `zh-TW:${key}`),
);

test.each(others)('%s has every text, with its placeholders', (tag) => {
  expect(Object.keys(of(tag))).toEqual(Object.keys(of('zh-CN')));
  for (const [key, text] of Object.entries(of(tag)))
    expect([key, placeholders(text)]).toEqual([key, placeholders(of('zh-CN')[key] ?? '')]);
});

test.each(others)('%s speaks for itself', (tag) => {
  const same = Object.entries(of(tag)).filter(
    ([key, text]) => text === of('zh-CN')[key] || (tag !== 'en-US' && text === of('en-US')[key]),
  );
  expect(same.map(([key]) => `${tag}:${key}`).filter((key) => !allowed.has(key))).toEqual([]);
});

test('the specification’s own texts are verbatim', () => {
  expect(of('zh-CN')).toMatchObject({
    heading: '用户登录',
    accountRequired: '请输入账号',
    oldPasswordRequired: '请输入原密码',
    newPasswordRequired: '请输入新密码',
    updateFailed: '修改失败：{message}',
    updateSucceeded: '修改密码成功！',
    updating: '正在更新密码',
  });
  expect(of('en-US')).toMatchObject({
    weakInitial: 'Initial password is weak, please change then log in again',
    passwordOld: 'Password used for 3 months, please change',
    'notice.expired': 'Authentication information has expired. Please log in again.',
    networkError: 'Network connection error. Please check the network environment!',
    networkTimeout: 'Network connection timed out. Please retry!',
  });
});
