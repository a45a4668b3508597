import { code } from '../fields/code.ts';
import { integer } from '../fields/integer.ts';
import { reference } from '../fields/reference.ts';
import { dictionaryValue, select } from '../fields/select.ts';
import type { CrossRule } from '../family.ts';
import { defineRecord } from '../record.ts';
import { labelKeys, labels } from './labels.ts';

// Devices store the value and integrators read it: ASCII letters and digits in every language.
const wellFormed: CrossRule = {
  name: 'dictionaryValue',
  statement: 'A value is up to 32 letters a–z, digits, `-` and `_`, beginning with a letter or digit.',
  check: (v) =>
    typeof v['value'] === 'string' && !dictionaryValue.test(v['value'])
      ? [{ field: 'value', rule: 'dictionaryValue' }]
      : [],
};

/** 字典项: one value of a dictionary, its labels in six languages, and whether forms offer it. */
export const dictionaryItem = defineRecord({
  key: 'dictionary-item',
  table: 'dictionary_item',
  areaColumn: null,
  labelled: true,
  codeField: 'value',
  codeWithin: 'dictId',
  nameField: 'zhCN',
  fields: [
    reference('dictId', {
      required: true,
      to: { record: 'dictionary' },
      column: 'dictionary_id',
      filter: true,
      sort: true,
      fixed: true,
    }),
    code('value', { required: true, maxLength: 32, column: 'item_value', sort: true, fixed: true }),
    integer('orderby', { min: 0, max: 9999, column: 'sort_order', sort: true }),
    select('status', {
      required: true,
      optionSet: 'status',
      options: ['enabled', 'disabled'],
      initial: 'enabled',
      column: 'status',
      filter: true,
      sort: true,
    }),
    ...labels,
  ],
  rules: [wellFormed],
  sections: [
    { key: 'identity', fields: ['dictId', 'value', 'orderby', 'status'] },
    { key: 'labels', fields: labelKeys },
  ],
  listColumns: ['dictId', 'value', ...labelKeys, 'orderby', 'status'],
  usedBy: [],
  examples: [
    {
      dictId: 1,
      value: 'bamboo',
      orderby: 60,
      status: 'enabled',
      zhCN: '竹',
      zhTW: '竹子',
      enUS: 'Bamboo',
      frFR: 'Bambou',
      jaJP: '竹製',
      koKR: '대나무',
    },
    { dictId: 1, value: 'wood', orderby: 70, status: 'disabled', zhCN: '木' },
  ],
});
