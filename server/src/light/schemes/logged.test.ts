import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { exampleScheme } from '../../../../catalogue/lighting/plan/examples.ts';
import { path, schemeOffice } from './testing/office.ts';

const { call, db, create, save, freeze, frozen } = await schemeOffice();

test('the operation log has the hashes of a draft and of a version before and after each change', async () => {
  const { id, version } = await frozen();
  await save(id, 3, exampleScheme(40));
  const second = (await freeze(id, 4)).body;
  await save(id, 5, exampleScheme(30));
  await call(`${path}/${id}/draft?version=6`, { method: 'DELETE' });
  await call(`${path}/${id}/withdraw`, { body: { version: 7 } });
  const { rows } = await sql<{ message: string; params: string }>`SELECT message, params FROM operation_log
    WHERE status < 300 AND message IN ('scheme.draft', 'scheme.freeze', 'scheme.discard', 'scheme.withdraw')
    ORDER BY id DESC LIMIT 7`.execute(db);
  const noted = rows.toReversed().map(({ message, params }) => {
    expect(Buffer.byteLength(params)).toBeLessThanOrEqual(4096);
    const { hashBefore, hashAfter } = JSON.parse(params) as { hashBefore: unknown; hashAfter: unknown };
    return [message, hashBefore, hashAfter];
  });
  const third = expect.stringMatching(/^[0-9a-f]{12}$/);
  expect(noted).toEqual([
    ['scheme.draft', null, version.hash],
    ['scheme.freeze', null, version.hash],
    ['scheme.draft', version.hash, second.hash],
    ['scheme.freeze', version.hash, second.hash],
    ['scheme.draft', second.hash, third],
    ['scheme.discard', third, second.hash],
    ['scheme.withdraw', second.hash, second.hash],
  ]);
  expect(JSON.parse(rows[0]?.params ?? '')).toMatchObject({ id, version: 7, number: 2, lamps: 0 });
});

test('an empty time is refused in the specified words', async () => {
  const { id } = await create();
  const scheme = exampleScheme();
  const [first] = scheme.programmes;
  const periods = [
    { start: 'on', level: 100, pattern: 'all', rampSeconds: 0 },
    { start: { at: '', offsetMinutes: 0 }, level: 50, pattern: 'all', rampSeconds: 0 },
  ];
  const refused = await save(id, 1, {
    ...scheme,
    programmes: [{ ...first, programme: { ...first?.programme, periods } }, ...scheme.programmes.slice(1)],
  });
  expect(refused.body).toMatchObject({
    params: [
      { field: 'content.programmes.0.programme.periods.1.start.at', rule: 'timeEmpty', message: '时间不能为空' },
    ],
  });
});
