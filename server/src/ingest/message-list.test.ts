import fc from '../../../catalogue/testing/properties.ts';
import { expect, it } from 'vitest';
import { messagesIn } from './message-list.ts';

const cut = (text: string, lines = false) =>
  messagesIn(Buffer.from(text), lines)?.map((bytes) => Buffer.from(bytes).toString().trim());

it.each<[string, string, string[] | undefined]>([
  ['nothing', ' \n', []],
  ['one message', ' {"a":1} ', ['{"a":1}']],
  ['an empty list', ' [ ] ', []],
  ['a list', '[{"a":[1,2]}, {"b":"],[\\"}{"} ,3]', ['{"a":[1,2]}', '{"b":"],[\\"}{"}', '3']],
  ['parts that are no JSON stay parts', '[{"a":1},oops,{"b":2}]', ['{"a":1}', 'oops', '{"b":2}']],
  ['a missing part is one too', '[1,,2]', ['1', '', '2']],
  ['a list that does not end', '[{"a":1},', undefined],
  ['something behind the list', '[1] 2', undefined],
  ['something behind an empty list', '[] 2', undefined],
])('%s', (_name, text, parts) => expect(cut(text)).toEqual(parts));

it('lines, empty ones left out, the last one with or without an end', () => {
  expect(cut('{"a":1}\r\n\n {"b":2}\n', true)).toEqual(['{"a":1}', '{"b":2}']);
  expect(cut('{"a":1}\n{"b":2}', true)).toEqual(['{"a":1}', '{"b":2}']);
});

it('whatever a list holds, its parts are its elements', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue(), { maxLength: 10 }), fc.constantFrom(0, 2), (values, indent) => {
      expect(cut(JSON.stringify(values, null, indent))?.map((part) => JSON.parse(part) as unknown)).toEqual(
        JSON.parse(JSON.stringify(values)),
      );
    }),
  );
});
