import { defineFamily } from '../family.ts';
import { number } from '../fields/number.ts';
import { select } from '../fields/select.ts';
import {
  complete,
  connectionSection,
  identitySection,
  lifeSection,
  placeSection,
  sharedFields,
  sharedRules,
} from './shared.ts';

/** 变压器: the root of the power tree; feeds control boxes. It reports nothing; people enter its load at inspections. */
export const transformer = defineFamily({
  key: 'transformer',
  fields: [
    ...sharedFields,
    select('mounting', {
      optionSet: 'transformerMounting',
      open: true,
      options: ['pole', 'box', 'room', 'ground'],
      filter: true,
      sort: true,
    }),
    number('capacity', { unit: 'kVA', decimals: 2, min: 0, max: 10000, sort: true }),
    number('loadRate', { unit: 'percent', decimals: 2, min: 0, max: 200, sort: true }),
  ],
  sections: [
    identitySection('mounting'),
    placeSection,
    { key: 'electrical', fields: ['capacity', 'loadRate'] },
    connectionSection,
    lifeSection,
  ],
  listColumns: [
    'equipmentCode',
    'equipmentName',
    'ip',
    'manufacturer',
    'mounting',
    'capacity',
    'loadRate',
    'workId',
    'roadId',
    'lamppostId',
    'status',
    'latchedPosition',
    'updateTime',
  ],
  // A load rate is a share of the capacity.
  rules: [...sharedRules, complete('loadRate', ['capacity'])],
  quantities: [],
  commands: [],
  report: null,
  examples: [
    {
      equipmentCode: 'TR-01',
      equipmentName: '滨江 1 号箱变',
      workId: 1,
      mounting: 'box',
      capacity: 315,
      loadRate: 62.5,
      longitude: 120.21,
      latitude: 30.21,
      manufacturer: '江南变压器',
      model: 'S13-M-315/10',
    },
    { equipmentCode: 'TR-02', equipmentName: '江南路杆变', workId: 1, mounting: 'pole', capacity: 100 },
  ],
  exampleReading: null,
});
