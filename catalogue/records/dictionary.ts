import { code } from '../fields/code.ts';
import { text } from '../fields/text.ts';
import { defineRecord } from '../record.ts';
import { labelKeys, labels } from './labels.ts';

/** 字典: a list of values with labels in six languages. The catalogue's option sets are dictionaries from the start. */
export const dictionary = defineRecord({
  key: 'dictionary',
  table: 'dictionary',
  areaColumn: null,
  labelled: true,
  codeField: 'dictCode',
  nameField: 'zhCN',
  fields: [
    code('dictCode', { required: true, maxLength: 64, column: 'dict_code', sort: true, fixed: true }),
    ...labels,
    text('description', { maxLength: 200, lines: true, column: 'description' }),
  ],
  rules: [],
  sections: [
    { key: 'identity', fields: ['dictCode', 'description'] },
    { key: 'labels', fields: labelKeys },
  ],
  listColumns: ['dictCode', ...labelKeys, 'description'],
  usedBy: [{ table: 'dictionary_item', column: 'dictionary_id', text: 'dictionary-item' }],
  examples: [
    {
      dictCode: 'lampVendor',
      zhCN: '灯具厂家',
      zhTW: '燈具廠商',
      enUS: 'Lamp vendors',
      frFR: 'Fabricants de lampes',
      jaJP: '灯具メーカー',
      koKR: '등기구 제조사',
    },
    { dictCode: 'contract-type', zhCN: '合同类型', description: '采购、施工、运维' },
  ],
});
