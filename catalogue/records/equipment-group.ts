import { code } from '../fields/code.ts';
import { reference } from '../fields/reference.ts';
import { select } from '../fields/select.ts';
import { text } from '../fields/text.ts';
import { defineRecord } from '../record.ts';
import { families } from '../families/index.ts';

/** 设备分组: devices that are switched together. A group may be limited to one family. */
export const equipmentGroup = defineRecord({
  key: 'equipment-group',
  table: 'equipment_group',
  areaColumn: 'work_area_id',
  codeField: 'groupCode',
  codeWithin: 'workId',
  nameField: 'groupName',
  fields: [
    code('groupCode', { required: true, maxLength: 32, column: 'group_code', sort: true }),
    text('groupName', { required: true, maxLength: 64, column: 'group_name', sort: true }),
    select('family', {
      optionSet: 'family',
      options: families.map((family) => family.key),
      column: 'family',
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
    text('description', { maxLength: 200, lines: true, column: 'description' }),
  ],
  rules: [],
  sections: [{ key: 'identity', fields: ['groupCode', 'groupName', 'family', 'workId', 'description'] }],
  listColumns: ['groupCode', 'groupName', 'family', 'workId', 'description'],
  usedBy: [{ table: 'device', column: 'group_id', text: 'device' }],
  examples: [
    {
      groupCode: 'G1',
      groupName: '滨江大道 半夜灯',
      family: 'single-lamp-controller',
      workId: 1,
      description: '23:00 后调至 50 %',
    },
    { groupCode: 'G2', groupName: '桥梁', workId: 1 },
  ],
});
