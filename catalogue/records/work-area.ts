import { together } from '../families/shared.ts';
import { code } from '../fields/code.ts';
import { coordinate } from '../fields/coordinate.ts';
import { text } from '../fields/text.ts';
import { defineRecord } from '../record.ts';

/** 作业区 (project): accounts see devices and master data by it. */
export const workArea = defineRecord({
  key: 'work-area',
  table: 'work_area',
  areaColumn: 'id',
  codeField: 'workCode',
  nameField: 'workName',
  fields: [
    code('workCode', { required: true, maxLength: 32, column: 'work_code', sort: true }),
    text('workName', { required: true, maxLength: 64, column: 'work_name', sort: true }),
    text('area', { maxLength: 64, column: 'area', filter: true, levels: true, sort: true }),
    text('address', { maxLength: 128, column: 'address' }),
    coordinate('longitude', { column: 'longitude' }),
    coordinate('latitude', { column: 'latitude' }),
    text('timeZone', { required: true, maxLength: 64, timeZone: true, column: 'time_zone' }),
  ],
  rules: [together],
  sections: [
    { key: 'identity', fields: ['workCode', 'workName'] },
    { key: 'place', fields: ['area', 'address', 'longitude', 'latitude', 'timeZone'] },
  ],
  listColumns: ['workCode', 'workName', 'area', 'address', 'timeZone'],
  usedBy: [
    { table: 'road', column: 'work_area_id', text: 'road' },
    { table: 'equipment_group', column: 'work_area_id', text: 'equipment-group' },
    { table: 'channel', column: 'work_area_id', text: 'channel' },
    { table: 'device', column: 'work_area_id', text: 'device' },
    { table: 'work_group', column: 'work_area_id', text: 'work-group' },
  ],
  examples: [
    {
      workCode: 'BJ',
      workName: '滨江新区',
      area: '滨江',
      address: '滨江大道 1 号',
      longitude: 120.2,
      latitude: 30.2,
      timeZone: 'Asia/Shanghai',
    },
    { workCode: 'XX-2', workName: '西兴', timeZone: 'Asia/Shanghai' },
  ],
});
