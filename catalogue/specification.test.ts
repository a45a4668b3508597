import { describe, expect, test } from 'vitest';
import { families, familyOf, namesIn, validateDevice } from './index.ts';
import {
  ownFieldsOfSpecification,
  replacedFields,
  sharedFieldsOfSpecification,
  specifiedRules,
  typeColumns,
} from './specification.cases.ts';

const owners = families.map((family) => [family.key, family] as const);
/** The field of a family that stands for one of the specification; null: the family needs none. */
const standsFor = (family: string, field: string): string | null => {
  const given = replacedFields[family]?.[field];
  return given === undefined ? field : given;
};

describe.each(owners)('specified 9.1 to 9.3: %s', (key, family) => {
  const headings: readonly (readonly [string, string])[] = [
    ['device name', 'equipmentName'],
    ['IP address', 'ip'],
    ['manufacturer', 'manufacturer'],
    ['type', typeColumns[key] ?? 'model'],
    ['associated project', 'workId'],
    ['road', 'roadId'],
    ['lamp pole', 'lamppostId'],
    ['updateTime', 'updateTime'],
    ['latchedPosition', 'latchedPosition'],
    ...(family.report ? [['isOnline', 'isOnline'] as const] : []),
  ];
  test.each(headings)('the list has the heading %s', (_heading, column) => {
    const shown = standsFor(key, column);
    if (shown !== null) expect(family.listColumns).toContain(shown);
  });
  test('the shared fields and its own are there, by their names', () => {
    const wanted = [...sharedFieldsOfSpecification, ...(ownFieldsOfSpecification[key] ?? [])].flatMap(
      (field) => standsFor(key, field) ?? [],
    );
    expect(wanted.filter((field) => !family.field.has(field))).toEqual([]);
  });
});

test('specified 9.2: the codes of pole types, and a gateway is smart or ordinary', () => {
  const options = (family: string, field: string) => {
    const found = familyOf(family)?.field.get(field);
    return found?.kind === 'select' ? found.options : [];
  };
  expect(options('lamp-pole', 'equipmentTypeId')).toEqual([
    'equipment_type_24',
    'equipment_type_13',
    'equipment_type_28',
    'equipment_type_35',
  ]);
  expect(options('gateway', 'type')).toEqual(['smart', 'ordinary']);
  // Specified 9.2: battery types.
  expect(options('solar-controller', 'batteryType').toSorted()).toEqual([
    'custom',
    'gel',
    'lifepo4',
    'liquid',
    'ternary_lithium',
  ]);
});

test.each(specifiedRules)('specified 9.5: %s (%s)', (_rule, key, values, refused) => {
  const result = validateDevice(
    familyOf(key)!,
    {
      equipmentCode: 'X1',
      equipmentName: 'x',
      workId: 1,
      ...(key === 'lamp-pole' ? { equipmentTypeId: 'equipment_type_24' } : {}),
      ...values,
    },
    'create',
  );
  expect('problems' in result ? result.problems.map(({ field, rule }) => `${field}:${rule}`).toSorted() : []).toEqual(
    refused,
  );
});

test('specified 9.5: its own words where it has some', () => {
  const { rule } = namesIn('zh-CN');
  expect([rule('port', {}), rule('ipv4', {}), rule('picture', {})]).toEqual([
    expect.stringContaining('1-65535'),
    expect.any(String),
    '只能上传 JPG/PNG 图片',
  ]);
});
