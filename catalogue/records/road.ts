import { code } from '../fields/code.ts';
import { reference } from '../fields/reference.ts';
import { select } from '../fields/select.ts';
import { text } from '../fields/text.ts';
import { defineRecord } from '../record.ts';

/** 道路: classes of the national lighting standard, then the small ways. */
export const roadClasses = ['expressway', 'arterial', 'secondary', 'branch', 'lane', 'park'] as const;

/** 道路: the road a device stands at; a lamp command can be given for a whole one. */
export const road = defineRecord({
  key: 'road',
  table: 'road',
  searched: true,
  areaColumn: 'work_area_id',
  codeField: 'roadCode',
  codeWithin: 'workId',
  nameField: 'roadName',
  fields: [
    code('roadCode', { required: true, maxLength: 32, column: 'road_code', sort: true }),
    text('roadName', { required: true, maxLength: 64, column: 'road_name', sort: true }),
    select('roadClass', {
      required: true,
      optionSet: 'roadClass',
      options: roadClasses,
      initial: 'branch',
      column: 'road_class',
      filter: true,
      sort: true,
    }),
    reference('workId', {
      required: true,
      to: { record: 'work-area' },
      column: 'work_area_id',
      filter: true,
      sort: true,
    }),
  ],
  rules: [],
  sections: [{ key: 'identity', fields: ['roadCode', 'roadName', 'roadClass', 'workId'] }],
  listColumns: ['roadCode', 'roadName', 'roadClass', 'workId'],
  usedBy: [{ table: 'device', column: 'road_id', text: 'device' }],
  examples: [
    { roadCode: 'BJDD', roadName: '滨江大道', roadClass: 'arterial', workId: 1 },
    { roadCode: 'R2', roadName: '人民路', workId: 1 },
  ],
});
