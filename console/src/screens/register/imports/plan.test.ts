import { describe, expect, test } from 'vitest';
import { familyOf } from '../../../../../catalogue/families/index.ts';
import {
  fieldsOf,
  fillBy,
  fillWith,
  leaveOut,
  mean,
  missing,
  missingForNew,
  reachable,
  standing,
  swapped,
  undecided,
  unsaid,
  type Import,
  type Plan,
} from './plan.ts';
import { metresBetween } from '../../../parts/map/distance.ts';

const empty: Plan = {
  fields: {},
  ignored: [],
  system: 'WGS84',
  words: {},
  existing: 'update',
  createRoads: false,
  acceptFar: false,
};
const columns = ['编号', '名称', 'X', 'Y', ''].map((title) => ({ title, samples: [] }));
const pole = familyOf('lamp-pole');
if (!pole) throw new Error('no poles');

describe('a plan', () => {
  test('a column may fill several fields; a field is filled by one source only, the last one said', () => {
    const plan = fillBy(fillBy(empty, 0, ['equipmentCode', 'lampPostNumber']), 1, ['lampPostNumber']);
    expect([fieldsOf(plan, 0), fieldsOf(plan, 1)]).toEqual([['equipmentCode'], ['lampPostNumber']]);
    expect(fillWith(plan, 'equipmentCode', 'x').fields['equipmentCode']).toEqual({ value: 'x' });
    expect(fillBy(fillWith(plan, 'workId', 'N'), 2, ['workId']).fields['workId']).toEqual({ column: 2 });
  });

  test('a column that is left out fills nothing, and one that fills is not left out', () => {
    const out = leaveOut(fillBy(empty, 0, ['equipmentCode']), 0, true);
    expect(out).toMatchObject({ fields: {}, ignored: [0] });
    expect(fillBy(out, 0, ['equipmentName']).ignored).toEqual([]);
    expect(leaveOut(out, 0, false).ignored).toEqual([]);
  });

  test('names what is still to be said: columns with a heading, fields every row needs, fields new devices need, constants without a value', () => {
    const plan = leaveOut(fillBy(empty, 2, ['longitude']), 1, true);
    expect(undecided(columns, plan)).toEqual([0, 3]);
    expect(missing(plan)).toEqual(['equipmentCode', 'workId', 'latitude']);
    expect(missingForNew(pole, plan)).toEqual(['equipmentName', 'equipmentTypeId']);
    expect(unsaid(fillWith(plan, 'workId', ' '))).toEqual(['workId']);
  });

  test('east and north change places; a word’s meaning is said, changed and taken back', () => {
    expect(swapped(fillBy(fillBy(empty, 2, ['longitude']), 3, ['latitude'])).fields).toEqual({
      latitude: { column: 2 },
      longitude: { column: 3 },
    });
    const said = mean({}, 'material', '铁', 'steel');
    expect(mean(said, 'material', '铁', '')).toEqual({ material: { 铁: '' } });
    expect(mean(said, 'material', '铁', undefined)).toEqual({});
  });
});

test('metres between two points are those of the globe', () => {
  expect(metresBetween({ longitude: 120, latitude: 30 }, { longitude: 120, latitude: 31 })).toBeCloseTo(111_195, -1);
});

describe('where an import stands', () => {
  const task = (kind: string, state: string): Import['task'] =>
    ({
      id: 1,
      kind,
      state,
      done: 0,
      total: null,
      params: { importId: 1 },
      error: null,
      file: null,
      createdAt: '',
      endedAt: null,
    }) as Import['task'];
  const at = (state: Import['state'], running: Import['task'], counts: Import['counts'] = null): Import =>
    ({ state, task: running, counts, questions: [] as Import['questions'] }) as Import;
  const good = { new: 1, update: 0, unchanged: 0, error: 0 };
  test.each<[string, Import, readonly string[], string]>([
    ['just uploaded', at('uploaded', null), ['columns'], 'columns'],
    ['being checked', at('uploaded', task('import.check', 'running')), ['check'], 'check'],
    ['a check that failed', at('uploaded', task('import.check', 'failed')), ['columns', 'check'], 'check'],
    ['checked', at('checked', task('import.check', 'done'), good), ['columns', 'check', 'write'], 'check'],
    [
      'checked, nothing to write',
      at('checked', task('import.check', 'done'), { ...good, new: 0, error: 3 }),
      ['columns', 'check'],
      'check',
    ],
    ['being written', at('checked', task('import.apply', 'queued'), good), ['write'], 'write'],
    ['written', at('applied', task('import.apply', 'done'), good), ['write'], 'write'],
    ['undone', at('undone', task('import.undo', 'done'), good), ['write'], 'write'],
  ])('%s', (_what, one, steps, here) => {
    expect([reachable(one), standing(one)]).toEqual([steps, here]);
  });
});
