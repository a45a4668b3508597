import { defineFamily, type CrossRule } from '../family.ts';
import { boolean } from '../fields/boolean.ts';
import { code } from '../fields/code.ts';
import { integer } from '../fields/integer.ts';
import { reference } from '../fields/reference.ts';
import { select } from '../fields/select.ts';
import { lifeSection, connectionSection, sharedExcept, sharedRules } from './shared.ts';

/** Lamp heads that each shape of pole can carry (specified 9.7: the lamp-source count cannot exceed it). */
export const poleCapacity = {
  single_arm: 1,
  double_arm: 2,
  triple_arm: 3,
  post_top: 4,
  wall_bracket: 1,
  high_mast: 24,
} as const satisfies Record<string, number>;

const lampsWithinCapacity: CrossRule = {
  name: 'capacity',
  statement: '`lampNum` does not exceed what the pole’s shape (`lamppostTypeId`) can carry.',
  check: (v) => {
    const lamps = v['lampNum'];
    const shape = v['lamppostTypeId'];
    if (typeof lamps !== 'number') return [];
    if (typeof shape !== 'string') return lamps > 1 ? [{ field: 'lamppostTypeId', rule: 'capacityUnknown' }] : [];
    const max = poleCapacity[shape as keyof typeof poleCapacity];
    return lamps > max ? [{ field: 'lampNum', rule: 'capacity', params: { max } }] : [];
  },
};

/** 灯杆: the physical pole; carries lamps and mounted devices, reports nothing itself. */
export const lampPole = defineFamily({
  key: 'lamp-pole',
  fields: [
    ...sharedExcept('lamppostId'),
    select('equipmentTypeId', {
      required: true,
      optionSet: 'poleType',
      filter: true,
      sort: true,
      initial: 'equipment_type_13',
      // Codes of the specification: 24 smart pole, 13 ordinary pole, 28 new sodium lamp, 35 high-level lamp.
      options: ['equipment_type_24', 'equipment_type_13', 'equipment_type_28', 'equipment_type_35'],
    }),
    code('lampPostNumber', { maxLength: 32, sort: true }),
    select('lamppostTypeId', { optionSet: 'poleShape', options: Object.keys(poleCapacity), filter: true, sort: true }),
    integer('lampNum', { min: 0, max: 24, sort: true }),
    select('material', {
      optionSet: 'poleMaterial',
      open: true,
      options: ['steel', 'aluminium', 'concrete', 'composite', 'cast_iron'],
      filter: true,
    }),
    reference('controllerId', { to: { family: 'central-controller' }, column: 'parent_id', filter: true }),
    // The loop that feeds everything on the pole, except lamps with a loop of their own.
    reference('loopId', { to: { record: 'loop' }, column: 'loop_id', filter: true }),
    select('lampLocation', {
      optionSet: 'lampLocation',
      open: true,
      options: ['roadside', 'median', 'footway', 'square', 'tunnel', 'bridge'],
      filter: true,
    }),
    boolean('ifIntersection', { filter: true }),
  ],
  sections: [
    {
      key: 'identity',
      fields: [
        'equipmentCode',
        'equipmentName',
        'lampPostNumber',
        'equipmentNum',
        'equipmentTypeId',
        'lamppostTypeId',
        'lampNum',
        'material',
        'status',
        'power',
      ],
    },
    {
      key: 'place',
      fields: [
        'workId',
        'roadId',
        'roadside',
        'equipmentGroup',
        'lampLocation',
        'ifIntersection',
        'area',
        'longitude',
        'latitude',
        'controllerId',
        'loopId',
      ],
    },
    connectionSection,
    lifeSection,
  ],
  listColumns: [
    'equipmentCode',
    'equipmentName',
    'ip',
    'manufacturer',
    'lampPostNumber',
    'equipmentTypeId',
    'lampNum',
    'workId',
    'roadId',
    'roadside',
    'status',
    'latchedPosition',
    'updateTime',
  ],
  rules: [...sharedRules, lampsWithinCapacity],
  quantities: [],
  commands: [],
  report: null,
  examples: [
    {
      equipmentCode: 'P-0012',
      equipmentName: '滨江大道 12 号杆',
      workId: 1,
      roadId: 1,
      roadside: 'left',
      lampPostNumber: '12',
      lampNum: 2,
      equipmentTypeId: 'equipment_type_24',
      lamppostTypeId: 'double_arm',
      material: 'steel',
      longitude: 120.21,
      latitude: 30.21,
      lampLocation: 'roadside',
      ifIntersection: false,
      installTime: '2024-05-18',
    },
    {
      equipmentCode: 'P-0013',
      equipmentName: '滨江大道 13 号杆',
      workId: 1,
      equipmentTypeId: 'equipment_type_35',
      lamppostTypeId: 'high_mast',
      lampNum: 12,
    },
  ],
  exampleReading: null,
});
