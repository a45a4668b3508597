import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { sharedFields, sqlTypeOf, type Family, type Field } from '../../../../catalogue/index.ts';
import { refuseProblems } from '../../platform/http/index.ts';
import { familyNamed, type ListTable } from './devices.query.ts';

type Sql = RawBuilder<unknown>;
type KeyType = 'text' | 'float8' | 'boolean' | 'timestamptz';

/**
 * One part of a list's order. An order over something that may be empty has two: the devices that have it, by it, and
 * then the others. Each is read off an index in either direction, from its beginning or from any place.
 */
export interface OrderPart {
  readonly where: RawBuilder<SqlBool> | null;
  /** What it goes by before the id, and as what a place keeps it; null: by the id alone. */
  readonly key: { readonly by: Sql; readonly type: KeyType; readonly collation: 'natural_order' | 'C' | null } | null;
  /** Empty throughout this part, and named in the order for the sake of the index. */
  readonly lead: Sql | null;
  readonly tables: readonly ListTable[];
  /** The key is what a reference is called: it stands in another table. */
  readonly ofOther: boolean;
}
export interface Order {
  readonly sort: string;
  readonly descending: boolean;
  readonly parts: readonly OrderPart[];
}

const labels: Readonly<Record<string, { readonly table: ListTable; readonly by: string }>> = {
  work_area_id: { table: 'a', by: 'a.work_name' },
  road_id: { table: 'r', by: 'r.road_name' },
  group_id: { table: 'g', by: 'g.group_name' },
  pole_id: { table: 'p', by: 'p.equipment_code' },
  parent_id: { table: 'c', by: 'c.equipment_code' },
  channel_id: { table: 'ch', by: 'ch.channel_name' },
};

const natural = (by: Sql) =>
  ({ by: sql`${by} COLLATE natural_order`, type: 'text', collation: 'natural_order' }) as const;
const plain = (by: Sql, type: KeyType) => ({ by, type, collation: null });
const byCode = natural(sql.ref('d.equipment_code'));

/** One part for all. */
const whole = (key: OrderPart['key']): OrderPart => ({ where: null, key, lead: null, tables: [], ofOther: false });

/**
 * What is there first, by it, then what is empty: by its id, or, where no index knows the empty ones, in the order of
 * codes.
 */
const withEmptyLast = (
  key: NonNullable<OrderPart['key']>,
  tables: readonly ListTable[] = [],
  emptyBy?: { readonly where: Sql },
): OrderPart[] => [
  { where: sql<SqlBool>`${key.by} IS NOT NULL`, key, lead: null, tables, ofOther: emptyBy !== undefined },
  emptyBy
    ? { ...whole(byCode), where: sql<SqlBool>`${emptyBy.where} IS NULL` }
    : { ...whole(null), where: sql<SqlBool>`${key.by} IS NULL`, lead: key.by, tables },
];

/**
 * The order of a list out of the family's allow-list; codes and names sort naturally (P2 before P10), what is empty
 * comes last in both directions.
 */
export function orderOf({
  family: named,
  sort = 'equipmentCode,asc',
}: {
  readonly family?: string;
  readonly sort?: string;
}): Order {
  const family = named === undefined ? undefined : familyNamed(named);
  const [key = '', direction = 'asc'] = sort.split(',');
  const parts = partsOf(family, key);
  if (!parts || (direction !== 'asc' && direction !== 'desc'))
    throw refuseProblems([{ field: 'sort', rule: 'option' }]);
  // Devices in use come first: true before false.
  return { sort: `${key},${direction}`, descending: (direction === 'desc') !== (key === 'status'), parts };
}

function partsOf(family: Family | undefined, key: string): readonly OrderPart[] | undefined {
  if (key === 'id') return [whole(null)];
  if (key === 'isOnline') return withEmptyLast(plain(sql.ref('s.online'), 'boolean'), ['s']);
  if (key === 'updateTime')
    return withEmptyLast(
      plain(sql`coalesce(l.received_at, CASE WHEN s.device_id IS NULL THEN d.updated_at END)`, 'timestamptz'),
      ['s', 'l'],
    );
  if (key === 'state') return withEmptyLast(plain(sql.ref('s.state'), 'text'), ['s']);
  if (key.startsWith('latest.')) {
    const quantity = family?.quantity.get(key.slice('latest.'.length));
    return quantity?.kind === 'number'
      ? withEmptyLast(plain(sql`(l.values ->> ${sql.lit(quantity.key)})::float8`, 'float8'), ['l'])
      : undefined;
  }
  const field = (family?.fields ?? sharedFields).find((f) => f.key === key && f.sort);
  return field && partsOfField(field);
}

function partsOfField(field: Field): readonly OrderPart[] {
  const label = field.kind === 'reference' && field.column ? labels[field.column] : undefined;
  if (label) return withEmptyLast(natural(sql.ref(label.by)), [label.table], { where: sql.ref(`d.${field.column}`) });
  const key = keyOfField(field);
  return field.column === 'equipment_code' || field.column === 'enabled' ? [whole(key)] : withEmptyLast(key);
}

/** What a field of `d` sorts by; `list-indexes.ts` keeps an index of each. */
function keyOfField(field: Field): NonNullable<OrderPart['key']> {
  const type = sqlTypeOf(field);
  const at = field.column ? sql.ref(`d.${field.column}`) : sql`(d.props ->> ${sql.lit(field.key)})`;
  if (field.column === 'enabled') return plain(at, 'boolean');
  if (type === 'text') return natural(at);
  // Days are texts whose order is that of time.
  if (type === 'date') return { by: sql`${at} COLLATE "C"`, type: 'text', collation: 'C' };
  return plain(field.column ? at : sql`${at}::float8`, 'float8');
}
