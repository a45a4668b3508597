import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { leaveFailures, toast, toasts } from '../../frame/toast-store.ts';

const shown = (): string[] => toasts.getState().map(({ text }) => text);
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  toasts.setState([], true);
  vi.useRealTimers();
});

test('a failure leaves by itself, one that offers something later; what must be read stays', () => {
  toast.failed('没有保存');
  toast.failed('没有下载', { text: '重试', onClick: () => undefined });
  toast.mustRead('更新密码失败：旧密码错误');
  vi.advanceTimersByTime(8_000);
  expect(shown()).toEqual(['没有下载', '更新密码失败：旧密码错误']);
  vi.advanceTimersByTime(7_000);
  expect(shown()).toEqual(['更新密码失败：旧密码错误']);
});

test('another page takes the failures of the one before away, and nothing else', () => {
  toast.failed('名称或编码已存在');
  toast.done('已保存');
  toast.mustRead('更新密码失败：旧密码错误');
  leaveFailures();
  expect(shown()).toEqual(['已保存', '更新密码失败：旧密码错误']);
});

test('what must be read makes room for nothing, and says the same twice where each is another one', () => {
  toast.mustRead('关灯没有下发', { key: 'a' });
  toast.mustRead('关灯没有下发', { key: 'a' });
  toast.mustRead('关灯没有下发', { key: 'b' });
  for (const text of ['一', '二', '三', '四']) toast.note(text);
  expect(shown()).toEqual(['关灯没有下发', '关灯没有下发', '三', '四']);
});
