import { expect, test } from 'vitest';
import { namesFor, stateWord } from './catalogue-names.ts';

test('what a device reports of its states has the words of that quantity; what the catalogue does not know stays as it is', async () => {
  const names = await namesFor('zh-CN');
  const words = (
    [
      ['relay', true],
      ['relay', false],
      ['loop1Aux', true],
      ['door', true],
      ['door', false],
      ['playing', false],
      ['selector', 'auto'],
      ['selector', 'other'],
      ['unheardOf', true],
      ['unheardOf', 'x'],
    ] as const
  ).map(([key, value]) => stateWord(names, key, value));
  expect(words).toEqual([
    '闭合',
    '断开',
    '闭合',
    '打开',
    '关闭',
    '否',
    names.option('selector', 'auto'),
    'other',
    '是',
    'x',
  ]);
  expect(names.option('selector', 'auto')).not.toContain('selector');
});
