import { expect, test } from 'vitest';
import { permissions } from '../../../../contract/permissions.ts';
import names from './texts/zh-CN.json';

// That the other five languages have the same keys is what the language check says (tools/check).
test('every permission code has a name for people, and no name is left without a code', () => {
  expect(Object.keys(names).toSorted()).toEqual([...permissions].toSorted());
  expect(new Set(Object.values(names)).size).toBe(permissions.length);
});
