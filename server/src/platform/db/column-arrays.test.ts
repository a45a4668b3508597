import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { bigints, instants, jsons, smallints } from './index.ts';

const { db } = await testDatabase();

it('lists arrive in the database as they were, ends and gaps included', async () => {
  const ids = [0, 1, 2 ** 31, 2 ** 32 + 5, Number.MAX_SAFE_INTEGER, -1];
  const times = [
    '1970-01-01T00:00:00.000Z',
    '1999-12-31T23:59:59.999Z',
    '2026-11-21T12:00:00.123Z',
    '2100-01-01T00:00:00.000Z',
    '2000-01-01T00:00:00.000Z',
    '0001-01-01T00:00:00.000Z',
  ];
  const shorts = [0, 3, -32_768, 32_767, 1, 2];
  const documents = [null, '{}', '{"a":[1,2.5,true,null],"路":"灯💡"}', '"\\"\\\\"', null, '1e3'];
  const { rows } = await sql<{ id: number; at: Date; short: number; document: unknown }>`SELECT id, at, short, document
    FROM unnest(${bigints(ids)}::bigint[], ${instants(times.map(Date.parse))}::timestamptz[],
      ${smallints(shorts)}::smallint[], ${jsons(documents)}::jsonb[]) AS x(id, at, short, document)`.execute(db);
  expect(rows).toEqual(
    ids.map((id, index) => ({
      id,
      at: new Date(times[index] ?? ''),
      short: shorts[index],
      document: documents[index] === null ? null : (JSON.parse(documents[index] ?? '') as unknown),
    })),
  );
});

it('an empty list is an empty array', async () => {
  const { rows } = await sql<{
    n: number;
  }>`SELECT cardinality(${bigints([])}::bigint[]) + cardinality(${jsons([])}::jsonb[])
    + cardinality(${instants([])}::timestamptz[]) + cardinality(${smallints([])}::smallint[]) AS n`.execute(db);
  expect(rows).toEqual([{ n: 0 }]);
});

it('what is no JSON is refused by the database', async () => {
  await expect(sql`SELECT ${jsons(['{'])}::jsonb[]`.execute(db)).rejects.toMatchObject({ code: '22P02' });
});
