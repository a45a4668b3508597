import { defineFamily, type CrossRule } from '../family.ts';
import { boolean } from '../fields/boolean.ts';
import { number } from '../fields/number.ts';
import { reference } from '../fields/reference.ts';
import { select } from '../fields/select.ts';
import { text } from '../fields/text.ts';
import {
  complete,
  connectionSection,
  identitySection,
  lifeSection,
  placeSection,
  sharedFields,
  sharedRules,
} from './shared.ts';

const ratio: CrossRule = {
  name: 'ratio',
  statement: '`indicateCt` is the ratio of a current transformer, such as 100/5.',
  check: (v) =>
    typeof v['indicateCt'] === 'string' && !/^\d{1,5}\/[15]$/.test(v['indicateCt'])
      ? [{ field: 'indicateCt', rule: 'ratio' }]
      : [],
};

/** 配电箱 (控制箱): takes power from a transformer and hands it to loops. Its controllers report what is switched in it. */
export const controlBox = defineFamily({
  key: 'control-box',
  fields: [
    ...sharedFields,
    reference('transformerId', { to: { family: 'transformer' }, column: 'transformer_id', filter: true }),
    select('controlType', {
      optionSet: 'boxControl',
      open: true,
      options: ['central_controller', 'time_controller', 'light', 'manual'],
      filter: true,
      sort: true,
    }),
    select('powerType', { optionSet: 'boxSupply', options: ['single_phase', 'three_phase'], filter: true, sort: true }),
    number('capacity', { unit: 'kVA', decimals: 2, min: 0, max: 2000, sort: true }),
    text('facilitySize', { maxLength: 64 }),
    select('swichType', {
      optionSet: 'boxSwitch',
      open: true,
      options: ['contactor', 'breaker', 'latching_relay', 'solid_state'],
      filter: true,
    }),
    boolean('guardSwitch', { filter: true }),
    text('indicateCt', { maxLength: 16 }),
    text('address', { maxLength: 200 }),
  ],
  sections: [
    identitySection('facilitySize'),
    { ...placeSection, fields: [...placeSection.fields, 'address'] },
    {
      key: 'electrical',
      fields: ['transformerId', 'powerType', 'capacity', 'controlType', 'swichType', 'guardSwitch', 'indicateCt'],
    },
    connectionSection,
    lifeSection,
  ],
  listColumns: [
    'equipmentCode',
    'equipmentName',
    'ip',
    'manufacturer',
    'controlType',
    'powerType',
    'capacity',
    'transformerId',
    'workId',
    'roadId',
    'lamppostId',
    'address',
    'status',
    'latchedPosition',
    'updateTime',
  ],
  // The ratio of the current transformers is readable only with the number of measured phases.
  rules: [...sharedRules, complete('indicateCt', ['powerType']), ratio],
  quantities: [],
  commands: [],
  report: null,
  examples: [
    {
      equipmentCode: 'PX-03',
      equipmentName: '滨江大道 3 号配电箱',
      workId: 1,
      roadId: 1,
      transformerId: 1,
      controlType: 'central_controller',
      powerType: 'three_phase',
      capacity: 80,
      facilitySize: '800×1200×400 mm',
      swichType: 'contactor',
      guardSwitch: true,
      indicateCt: '100/5',
      address: '滨江大道与江南路口',
      longitude: 120.21,
      latitude: 30.21,
    },
    {
      equipmentCode: 'PX-04',
      equipmentName: '江南路 4 号配电箱',
      workId: 1,
      controlType: 'time_controller',
      powerType: 'single_phase',
    },
  ],
  exampleReading: null,
});
