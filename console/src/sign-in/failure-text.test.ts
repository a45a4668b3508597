import { describe, expect, test } from 'vitest';
import { durationText } from './duration.ts';
import { loginFailureText, updateFailureText } from './failure-text.ts';
import { loadTexts } from './texts.ts';

const zh = await loadTexts('zh-CN');
const en = await loadTexts('en-US');
const fr = await loadTexts('fr-FR');

const refused = (status: number, problem: Record<string, unknown> = {}, retryAfter?: number) =>
  ({ kind: 'refused', status, problem, retryAfter }) as const;

describe('lock time in words', () => {
  test.each([
    [1, '1 秒', '1 second'],
    [59, '59 秒', '59 seconds'],
    [3600, '1 小时', '1 hour'],
    [3599, '59 分 59 秒', '59 minutes 59 seconds'],
    [90_061, '1 天 1 小时 1 分 1 秒', '1 day 1 hour 1 minute 1 second'],
    [172_800, '2 天', '2 days'],
    [0.4, '1 秒', '1 second'],
  ])('%d s', (seconds, chinese, english) => {
    expect(durationText(zh, seconds)).toBe(chinese);
    expect(durationText(en, seconds)).toBe(english);
  });

  test('Chinese sets its numbers off in both scripts, Japanese does not', async () => {
    expect(durationText(await loadTexts('zh-TW'), 3507)).toBe('58 分 27 秒');
    expect(durationText(await loadTexts('ja-JP'), 3507)).toBe('58分27秒');
    expect(durationText(await loadTexts('ko-KR'), 3507)).toBe('58분 27초');
  });

  test('French keeps number and unit together', () => {
    expect(durationText(fr, 3661)).toBe('1\u00a0heure 1\u00a0min 1\u00a0s');
  });
});

describe('a failed sign-in says (specified 1.5)', () => {
  test.each([
    [
      'attempts left',
      refused(401, { attempts: 4, message: 'no' }),
      '密码错误，还剩 4 次机会',
      'Wrong password, 4 attempts left',
    ],
    ['the last attempt', refused(401, { attempts: 1 }), '密码错误，还剩 1 次机会', 'Wrong password, 1 attempt left'],
    [
      'locked',
      refused(401, { attempts: 0, lockoutTime: 3600 }),
      '账号已锁定，请在 1 小时后重试',
      'Account locked, retry after 1 hour',
    ],
    ['no such account', refused(400, { message: 'x' }), '用户不存在', 'User does not exist'],
    ['wrong captcha', refused(500, { code: 2004 }), '验证码错误', 'Captcha wrong'],
    ['a 500 of something else than ours', refused(500), '验证码错误', 'Captcha wrong'],
    ['our own failure', refused(500, { code: 1901, message: '出错了' }), '登录失败：出错了', 'Login failed: 出错了'],
    [
      'too many tries',
      refused(429, { message: '请 42 秒后再试' }),
      '登录失败：请 42 秒后再试',
      'Login failed: 请 42 秒后再试',
    ],
    [
      'too many tries, said by a proxy',
      refused(429, {}, 42),
      '登录失败：尝试过于频繁，请在 42 秒后再试',
      'Login failed: Too many tries, wait 42 seconds',
    ],
    ['disabled', refused(403, { detail: '账号已停用' }), '登录失败：账号已停用', 'Login failed: 账号已停用'],
    ['a gateway', refused(502), '登录失败', 'Login failed'],
    [
      'no network',
      { kind: 'offline' } as const,
      '网络连接错误，请检查网络环境！',
      'Network connection error. Please check the network environment!',
    ],
    ['a timeout', { kind: 'late' } as const, '网络连接超时，请重试！', 'Network connection timed out. Please retry!'],
  ])('%s', (_name, failure, chinese, english) => {
    expect(loginFailureText(zh, failure)).toBe(chinese);
    expect(loginFailureText(en, failure)).toBe(english);
  });
});

test('a failed change puts the server’s words after 修改失败：', () => {
  expect(updateFailureText(zh, { kind: 'done', msg: '原密码错误' })).toBe('修改失败：原密码错误');
  expect(updateFailureText(zh, refused(429, { msg: '太频繁' }))).toBe('修改失败：太频繁');
});
