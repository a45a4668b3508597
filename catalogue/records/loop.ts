import { code } from '../fields/code.ts';
import { integer } from '../fields/integer.ts';
import { number } from '../fields/number.ts';
import { reference } from '../fields/reference.ts';
import { select } from '../fields/select.ts';
import { text } from '../fields/text.ts';
import { defineRecord } from '../record.ts';

/** 回路: a circuit of a control box with the contactor that switches it; feeds lamps, and poles with all they carry. */
export const loop = defineRecord({
  key: 'loop',
  table: 'loop',
  areaColumn: 'work_area_id',
  areaOf: 'controlBoxId',
  codeField: 'loopCode',
  codeWithin: 'controlBoxId',
  nameField: 'loopName',
  fields: [
    reference('controlBoxId', {
      required: true,
      to: { family: 'control-box' },
      column: 'control_box_id',
      filter: true,
      sort: true,
    }),
    code('loopCode', { required: true, maxLength: 32, column: 'loop_code', sort: true }),
    text('loopName', { required: true, maxLength: 64, column: 'loop_name', sort: true }),
    // The output (contactor) of the box, which a controller calls loop 1, 2 …
    integer('loopNumber', { min: 1, max: 64, column: 'loop_number', sort: true }),
    select('phase', {
      optionSet: 'loopPhase',
      options: ['A', 'B', 'C', 'three'],
      column: 'phase',
      filter: true,
      sort: true,
    }),
    select('lighting', {
      optionSet: 'loopLighting',
      options: ['all_night', 'half_night', 'decorative'],
      column: 'lighting',
      filter: true,
      sort: true,
    }),
    number('ratedCurrent', { unit: 'A', decimals: 1, min: 0, max: 1000, column: 'rated_current', sort: true }),
    text('remark', { maxLength: 500, lines: true, column: 'remark' }),
  ],
  rules: [],
  sections: [
    { key: 'identity', fields: ['controlBoxId', 'loopCode', 'loopName'] },
    { key: 'electrical', fields: ['loopNumber', 'phase', 'lighting', 'ratedCurrent', 'remark'] },
  ],
  listColumns: ['loopCode', 'loopName', 'controlBoxId', 'loopNumber', 'phase', 'lighting', 'ratedCurrent'],
  usedBy: [{ table: 'device', column: 'loop_id', text: 'device' }],
  examples: [
    {
      controlBoxId: 1,
      loopCode: 'L1',
      loopName: '滨江大道北侧',
      loopNumber: 1,
      phase: 'A',
      lighting: 'all_night',
      ratedCurrent: 32,
    },
    { controlBoxId: 1, loopCode: 'L2', loopName: '滨江大道南侧' },
  ],
});
