import { expect, test } from 'vitest';
import { comparable, searchPatterns, searchWords } from './search-words.ts';

/** As the database does it: every line begins with a break, every pattern has to match. */
async function finds(query: string, code: string, name: string | null): Promise<boolean> {
  const key = comparable(`\n${code}\n${name ?? ''}\n${await searchWords(code, name)}`);
  return searchPatterns(query).every((pattern) => key.includes(pattern.slice(1, -1).replaceAll(/\\(.)/g, '$1')));
}

test.each([
  [
    'BJ-0118',
    '滨江大道 北侧 12号灯',
    [
      'bj-01',
      'BJ',
      '0118',
      '01',
      '11',
      '滨江',
      '江大',
      '大道',
      '灯',
      '12',
      '2号',
      'binjiang',
      'jiangda',
      'bjdd',
      'dd',
      'da',
      'b',
      'bjddbc12hd',
      'bin jiang',
      '滨江 12',
      'ｂｊ－0118',
      'beice',
    ],
  ],
  ['P-7', '重庆路绿化带', ['chongqing', 'cq', 'lvhua', 'lh', 'cqllhd', 'p7', '7']],
  ['CC-3', 'Main Street cabinet', ['main', 'ma', 'cab', 'street main', 'STREET', 'ca']],
  ['X_1%', null, ['x_1%', 'x_']],
])('%s %s is found by what people type', async (code, name, queries) => {
  const missed = [];
  for (const query of queries) if (!(await finds(query, code, name))) missed.push(query);
  // Two letters are looked for where a word, a number or a Chinese character begins.
  expect(missed).toEqual(['11', '2号'].filter((query) => queries.includes(query)));
});

test('and not by what is not there', async () => {
  for (const query of ['zz', 'jb', '江滨', 'x', '北大', '%', '_'])
    expect(await finds(query, 'BJ-1', '滨江大道'), query).toBe(false);
});

test('names without Chinese need no pinyin; odd ones do no harm', async () => {
  expect(await searchWords('A-1', null)).toBe('a-\n1\na1');
  for (const odd of ['', ' ', '👩‍🔧灯', '𠮷野家', '\u0000', '灯'.repeat(64), 'é́灯', '㎡灯'])
    expect(typeof (await searchWords('C', odd))).toBe('string');
});
