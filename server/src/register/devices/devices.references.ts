import { sql } from 'kysely';
import {
  familyOf,
  isLamp,
  lampFamilies,
  recordOf,
  type Family,
  type Problem,
  type Values,
} from '../../../../catalogue/index.ts';
import { namesIt } from './devices.store.ts';
import { takeLockOf, type Db, type Transaction } from '../../platform/db/index.ts';

/** Fields of a family that name another device of the same family: what could become a circle. */
export const selfReferences = (family: Family): readonly { readonly key: string; readonly column: string }[] =>
  family.fields.flatMap((field) =>
    field.kind === 'reference' && 'family' in field.to && field.to.family === family.key && field.column
      ? [{ key: field.key, column: field.column }]
      : [],
  );

/**
 * Keeps all others from hanging devices of one family on each other until this transaction ends: two acts, each fine
 * alone, could close a circle.
 */
export async function lockChains(tx: Transaction, family: Family): Promise<void> {
  if (selfReferences(family).length > 0) await takeLockOf(tx, 'device chain', family.key);
}

/**
 * Keeps what a change of a device needs, in the order in which moves and imports take it: the chain, then rows by their
 * ids. Taken one by one as they turn up, two changes could each wait for the other.
 */
export async function lockForChange(
  tx: Transaction,
  id: number,
  input: Readonly<Record<string, unknown>>,
): Promise<void> {
  const {
    rows: [row],
  } = await sql<{ family: string }>`SELECT family FROM device WHERE id = ${id}`.execute(tx);
  const family = row && familyOf(row.family);
  // Another work area puts every reference in question.
  if (family && selfReferences(family).some(({ key }) => key in input || 'workId' in input))
    await lockChains(tx, family);
  const pole = input['lamppostId'];
  if (Number.isSafeInteger(pole))
    await sql`SELECT 1 FROM device WHERE id IN (${id}, ${pole}) ORDER BY id FOR UPDATE`.execute(tx);
}

/** Of devices that are to hang on `target` by `column`: those on which it hangs already, over however many steps. */
export async function aboveIt(
  tx: Db | Transaction,
  column: string,
  target: number,
  ids: readonly number[],
): Promise<number[]> {
  const up = sql.ref(`d.${column}`);
  const { rows } = await sql<{
    id: number;
  }>`WITH RECURSIVE chain(id) AS (SELECT ${target}::bigint UNION SELECT ${up} FROM chain c JOIN device d ON d.id = c.id
    WHERE ${up} IS NOT NULL)
    SELECT id FROM chain WHERE id = ANY(${[...ids]}::bigint[])`.execute(tx);
  return rows.map((row) => row.id);
}

/**
 * Whether a reference closes a circle: a gateway behind one that speaks through it. The chain is kept already
 * (`lockForChange`).
 */
async function cycleProblems(
  tx: Db | Transaction,
  family: Family,
  values: Values,
  changed: ReadonlySet<string>,
  id: number | null,
): Promise<Problem[]> {
  const asked = selfReferences(family).filter(
    ({ key }) => changed.has(key) && typeof values[key] === 'number' && values[key] !== id,
  );
  if (id === null || asked.length === 0) return [];
  const closed = await Promise.all(
    asked.map(async ({ key, column }) => ({ key, ids: await aboveIt(tx, column, values[key] as number, [id]) })),
  );
  return closed.flatMap(({ key, ids }) => (ids.length > 0 ? [{ field: key, rule: 'cycle' as const }] : []));
}

interface Target {
  readonly field: string;
  readonly area: number;
  readonly family: string | null;
  readonly lamps: number | null;
  readonly limit: number | null;
}

/**
 * What is wrong with the references of a device: unknown ones, those of another work area, a group of another family, a
 * pole that already carries all its lamps. One query, whatever the number of references; in a transaction a pole is
 * locked while its lamps are counted.
 */
export async function referenceProblems(
  tx: Db | Transaction,
  family: Family,
  values: Values,
  changed: ReadonlySet<string>,
  id: number | null,
): Promise<Problem[]> {
  const asked = family.fields.flatMap((field) =>
    field.kind === 'reference' &&
    field.key !== 'workId' &&
    changed.has(field.key) &&
    typeof values[field.key] === 'number'
      ? [{ ...field, id: values[field.key] as number }]
      : [],
  );
  if (asked.length === 0) return [];
  const pole = asked.find((field) => field.key === 'lamppostId');
  if (pole && tx.isTransaction) await sql`SELECT 1 FROM device WHERE id = ${pole.id} FOR UPDATE`.execute(tx);
  const parts = asked.flatMap((field) => {
    const record = 'record' in field.to ? recordOf(field.to.record) : undefined;
    if (record) {
      const familyColumn = record.key === 'equipment-group' ? sql`family` : sql`NULL`;
      return [
        sql`SELECT ${field.key}::text AS field,
          ${record.areaColumn === null ? sql`NULL` : sql.ref(record.areaColumn)} AS area,
          ${familyColumn}::text AS family, NULL::int AS lamps, NULL::int AS "limit" FROM ${sql.table(record.table)}
          WHERE id = ${field.id}`,
      ];
    }
    if (!('family' in field.to) || !familyOf(field.to.family)) return [];
    return [
      sql`SELECT ${field.key}::text AS field, d.work_area_id AS area, NULL::text AS family,
      (SELECT count(*)::int FROM device x WHERE x.pole_id = d.id AND x.family = ${family.key} AND x.id <> ${id ?? 0})
        AS lamps, (d.props ->> 'lampNum')::int AS "limit"
      FROM device d WHERE d.id = ${field.id} AND d.family = ${field.to.family}`,
    ];
  });
  const { rows } =
    parts.length === 0 ? { rows: [] } : await sql<Target>`${sql.join(parts, sql` UNION ALL `)}`.execute(tx);
  const found = new Map(rows.map((row) => [row.field, row]));
  const circles = await cycleProblems(tx, family, values, changed, id);
  return [
    ...circles,
    ...asked.flatMap((field): Problem[] => {
      const target = found.get(field.key);
      // A road may have the same number as the device.
      if ('family' in field.to && field.id === id) return [{ field: field.key, rule: 'itself' }];
      if (!target) return [{ field: field.key, rule: 'notFound' }];
      // Without an area that is one there is none to compare with.
      if (typeof values['workId'] === 'number' && target.area !== values['workId'])
        return [{ field: field.key, rule: 'foreignArea' }];
      if (target.family !== null && target.family !== family.key) return [{ field: field.key, rule: 'option' }];
      const full =
        field.key === 'lamppostId' &&
        isLamp(family.key) &&
        target.limit !== null &&
        (target.lamps ?? 0) >= target.limit;
      return full ? [{ field: field.key, rule: 'poleFull', params: { max: target.limit ?? 0 } }] : [];
    }),
  ];
}

/**
 * What others that hang on a device forbid: moving it to another work area, or a pole with fewer lamps than it carries.
 */
export async function dependantProblems(
  tx: Db | Transaction,
  values: Values,
  changed: ReadonlySet<string>,
  id: number,
): Promise<Problem[]> {
  if (!changed.has('workId') && !changed.has('lampNum')) return [];
  const { rows } = await sql<{
    lamps: number;
    others: number;
  }>`SELECT count(*) FILTER (WHERE pole_id = ${id} AND family = ANY(${lampFamilies}))::int AS lamps,
    count(*)::int AS others
    FROM device WHERE pole_id = ${id} OR parent_id = ${id} OR ${namesIt(id)} UNION ALL SELECT 0, count(*)::int FROM loop
      WHERE control_box_id = ${id}`.execute(tx);
  const [lamps, others] = rows.reduce(([l, o], row) => [l + row.lamps, o + row.others], [0, 0]);
  const problems: Problem[] = [];
  if (changed.has('workId') && others > 0) problems.push({ field: 'workId', rule: 'foreignArea' });
  if (changed.has('lampNum') && typeof values['lampNum'] === 'number' && values['lampNum'] < lamps)
    problems.push({ field: 'lampNum', rule: 'min', params: { min: lamps } });
  return problems;
}
