import { expect, test } from 'vitest';
import { readCommand, verbs, type Verb } from './read-command.ts';
import zh from './texts/zh-CN.json';
import tw from './texts/zh-TW.json';
import en from './texts/en-US.json';
import fr from './texts/fr-FR.json';
import ja from './texts/ja-JP.json';
import ko from './texts/ko-KR.json';

const wordsOf = (texts: typeof zh) =>
  Object.fromEntries(verbs.map((verb) => [verb, texts[`words.${verb}`].split('|')])) as Record<Verb, string[]>;

test.each([
  ['关灯 滨江大道', zh, { verb: 'off', level: null, place: ['滨江大道'] }],
  ['滨江大道关灯', zh, { verb: 'off', level: null, place: ['滨江大道'] }],
  ['gd bjdd', zh, { verb: 'off', level: null, place: ['bjdd'] }],
  ['调光60% 分组 G04', zh, { verb: 'dim', level: 60, place: ['分组', 'g04'] }],
  ['调光 ６０％ 滨江', zh, { verb: 'dim', level: 60, place: ['滨江'] }],
  ['调光 400% 滨江', zh, { verb: 'dim', level: 100, place: ['滨江'] }],
  ['恢复方案 滨江', zh, { verb: 'auto', level: null, place: ['滨江'] }],
  ['關燈 濱江大道', tw, { verb: 'off', level: null, place: ['濱江大道'] }],
  ['dim 60 harbour road', en, { verb: 'dim', level: 60, place: ['harbour', 'road'] }],
  ['switch off G04', en, { verb: 'off', level: null, place: ['g04'] }],
  ['éteindre quai nord', fr, { verb: 'off', level: null, place: ['quai', 'nord'] }],
  ['graduer 40 % quai', fr, { verb: 'dim', level: 40, place: ['quai'] }],
  ['浜江大道 60% 調光', ja, { verb: 'dim', level: 60, place: ['浜江大道'] }],
  ['빈장대로 끄기', ko, { verb: 'off', level: null, place: ['빈장대로'] }],
])('%s', (text, texts, read) => expect(readCommand(text, wordsOf(texts))).toEqual(read));

test('a word that only begins like a verb is none', () => {
  expect(readCommand('office', wordsOf(en))).toBeUndefined();
  expect(readCommand('london', wordsOf(en))).toBeUndefined();
  expect(readCommand('滨江大道', wordsOf(zh))).toBeUndefined();
  expect(readCommand('', wordsOf(zh))).toBeUndefined();
});
