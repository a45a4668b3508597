import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { families, familyOf, isLamp, lampFamilies, namedBy } from '../../../../catalogue/index.ts';
import type { GroupName, TreeName } from '../../../../contract/register/topology.ts';

export type Sql = RawBuilder<unknown>;
export type Condition = RawBuilder<SqlBool>;

/**
 * A part of a level: rows of one table, told by a condition over its alias (`d`, `o`, `r`) and the id of what they
 * stand under.
 */
export interface Part {
  readonly table: 'device' | 'loop' | 'road';
  readonly where: (parent: Sql) => Condition;
}
/** What a node is: a family, a loop, a road. */
export type Kind = string;

export interface Tree {
  /** The top. */
  readonly top: readonly Part[];
  /** What stands nowhere yet. */
  readonly groups: Readonly<Partial<Record<GroupName, Part>>>;
  /** What stands directly below a node of a kind; absent: nothing can. */
  readonly below: ReadonlyMap<Kind, readonly Part[]>;
  /** Of a device `d`: the key of what it stands under; null: it is at the top. */
  readonly parent: Sql;
  /** Of a device `d`: whether it has a place in this tree at all. */
  readonly has: Condition;
}

const keys = (...list: string[]): Sql => sql`${list}::text[]`;
const withField = (key: string): string[] =>
  families.filter((family) => family.field.get(key)?.column !== undefined).map((family) => family.key);
const device = (where: (parent: Sql) => Condition): Part => ({ table: 'device', where });
/** A column holds one of these kinds; of one kind it is an equation, which an index of one family answers. */
export const among = (column: string, kinds: readonly Kind[]): Condition =>
  kinds.length === 1 ? sql`${sql.ref(column)} = ${kinds[0]}` : sql`${sql.ref(column)} = ANY(${keys(...kinds)})`;
const is = (kinds: readonly Kind[]): Condition => among('d.family', kinds);
/** The same parts below each of these kinds. */
const each = (kinds: readonly Kind[], parts: readonly Part[]) => kinds.map((kind) => [kind, parts] as const);

// What feeds, carries and speaks for others: the families that references lead to.
const transformers = namedBy('transformer_id');
const boxes = namedBy('box_id');
const poles = namedBy('pole_id');
const gateways = namedBy('gateway_id');
const controllers = namedBy('parent_id');
const speakers = [...gateways, ...controllers];

const boxed = withField('controlId');
const mountable = withField('lamppostId');
const reporting = families.filter(({ report }) => report !== null).map(({ key }) => key);
const speaking = reporting.filter((key) => familyOf(key)?.field.get('gatewayId')?.column !== undefined);
const others = speaking.filter((key) => !speakers.includes(key) && !isLamp(key));

/** What of the things on a pole has no loop and no box of its own: the pole's loop feeds it. */
const isFedByPole = (alias: 'd' | 'x'): Sql =>
  sql`${sql.ref(`${alias}.loop_id`)} IS NULL AND ${sql.ref(`${alias}.box_id`)} IS NULL AND ${sql.ref(`${alias}.family`)} <> ALL(${keys(...transformers, ...boxes)})`;
const ofPole = (parent: Sql): Condition => sql<SqlBool>`d.pole_id = ${parent} AND ${isFedByPole('d')}`;
/** A pole without a loop is missing one only if it carries something to feed. */
const lacksLoop: Sql = sql`d.loop_id IS NULL
  AND EXISTS (SELECT FROM device x WHERE x.pole_id = d.id AND ${isFedByPole('x')})`;

const power: Tree = {
  top: [device(() => is(transformers))],
  groups: {
    boxes: device(() => sql`${is(boxes)} AND d.transformer_id IS NULL`),
    controllers: device(
      () => sql`d.family = ANY(${keys(...boxed)}) AND d.box_id IS NULL AND d.loop_id IS NULL AND d.pole_id IS NULL`,
    ),
    poles: device(() => sql`${is(poles)} AND ${lacksLoop}`),
    lamps: device(() => sql`${is(lampFamilies)} AND d.loop_id IS NULL AND d.pole_id IS NULL`),
  },
  below: new Map<Kind, readonly Part[]>([
    ...each(transformers, [device((parent) => sql`d.transformer_id = ${parent}`)]),
    ...each(boxes, [
      { table: 'loop', where: (parent) => sql`o.control_box_id = ${parent}` },
      device((parent) => sql`d.box_id = ${parent}`),
    ]),
    ['loop', [device((parent) => sql`d.loop_id = ${parent}`)]],
    ...each(poles, [device(ofPole)]),
  ]),
  parent: sql`CASE WHEN ${is(transformers)} THEN NULL
    WHEN ${is(boxes)} THEN coalesce('device:' || d.transformer_id, 'group:boxes')
    WHEN d.box_id IS NOT NULL THEN 'device:' || d.box_id WHEN d.loop_id IS NOT NULL THEN 'loop:' || d.loop_id
    WHEN ${is(poles)} THEN 'group:poles' WHEN d.pole_id IS NOT NULL THEN 'device:' || d.pole_id
    WHEN ${is(lampFamilies)} THEN 'group:lamps' ELSE 'group:controllers' END`,
  has: sql`(d.family = ANY(${keys(...transformers, ...boxes, ...lampFamilies, ...boxed)}) OR d.pole_id IS NOT NULL OR (${is(poles)} AND (d.loop_id IS NOT NULL OR (${lacksLoop}))))`,
};

const communication: Tree = {
  top: [
    device(() => sql`${is(gateways)} AND d.gateway_id IS NULL`),
    device(() => sql`${is(controllers)} AND d.gateway_id IS NULL`),
  ],
  groups: {
    lamps: device(() => sql`${is(lampFamilies)} AND d.parent_id IS NULL AND d.gateway_id IS NULL`),
    devices: device(() => sql`d.family = ANY(${keys(...others)}) AND d.gateway_id IS NULL`),
  },
  below: new Map<Kind, readonly Part[]>([
    // A lamp that names a controller speaks through it.
    ...each(gateways, [
      device(
        (parent) =>
          sql`d.gateway_id = ${parent} AND d.family = ANY(${keys(...speaking)}) AND (NOT ${is(lampFamilies)} OR d.parent_id IS NULL)`,
      ),
    ]),
    ...each(controllers, [device((parent) => sql`d.parent_id = ${parent} AND ${is(lampFamilies)}`)]),
  ]),
  parent: sql`CASE
    WHEN ${is(lampFamilies)} THEN coalesce('device:' || d.parent_id, 'device:' || d.gateway_id, 'group:lamps')
    WHEN d.gateway_id IS NOT NULL THEN 'device:' || d.gateway_id WHEN ${is(speakers)} THEN NULL
      ELSE 'group:devices' END`,
  has: sql`d.family = ANY(${keys(...speaking)})`,
};

const mounting: Tree = {
  top: [{ table: 'road', where: () => sql`true` }],
  groups: {
    poles: device(() => sql`${is(poles)} AND d.road_id IS NULL`),
    devices: device(() => sql`d.family = ANY(${keys(...mountable)}) AND d.pole_id IS NULL`),
  },
  below: new Map<Kind, readonly Part[]>([
    ['road', [device((parent) => sql`d.road_id = ${parent} AND ${is(poles)}`)]],
    ...each(poles, [device((parent) => sql`d.pole_id = ${parent}`)]),
  ]),
  parent: sql`CASE WHEN ${is(poles)} THEN coalesce('road:' || d.road_id, 'group:poles')
    ELSE coalesce('device:' || d.pole_id, 'group:devices') END`,
  has: sql`d.family = ANY(${keys(...poles, ...mountable)})`,
};

export const trees: Readonly<Record<TreeName, Tree>> = { power, communication, mounting };

/**
 * Lamps below nodes `n (place, kind, id)`: rows of `place` and the lamp's id, lamps that are nodes themselves left out.
 */
export const lampsBelow: Readonly<Record<TreeName, Sql>> = {
  power: sql`loops AS (
      SELECT n.place, o.id FROM n JOIN device b ON b.transformer_id = n.id JOIN loop o ON o.control_box_id = b.id
        WHERE ${among('n.kind', transformers)}
      UNION ALL SELECT n.place, o.id FROM n JOIN loop o ON o.control_box_id = n.id WHERE ${among('n.kind', boxes)}
      UNION ALL SELECT n.place, n.id FROM n WHERE n.kind = 'loop'
    ), poles AS (
      SELECT l.place, p.id FROM loops l JOIN device p ON p.loop_id = l.id WHERE ${among('p.family', poles)}
      UNION ALL SELECT n.place, n.id FROM n WHERE ${among('n.kind', poles)}
    ), lamps AS (
      SELECT l.place, d.id FROM loops l JOIN device d ON d.loop_id = l.id WHERE ${is(lampFamilies)}
      UNION ALL SELECT p.place, d.id FROM poles p JOIN device d ON d.pole_id = p.id
        WHERE ${is(lampFamilies)} AND d.loop_id IS NULL
    )`,
  communication: sql`masters(place, kind, id) AS (
      SELECT n.place, n.kind, n.id FROM n WHERE ${among('n.kind', speakers)}
      UNION SELECT m.place, d.family, d.id FROM masters m JOIN device d ON d.gateway_id = m.id
        WHERE ${among('m.kind', gateways)} AND ${is(speakers)}
    ), lamps AS (
      SELECT m.place, d.id FROM masters m JOIN device d ON d.parent_id = m.id
        WHERE ${among('m.kind', controllers)} AND ${is(lampFamilies)}
      UNION ALL SELECT m.place, d.id FROM masters m JOIN device d ON d.gateway_id = m.id
        WHERE ${among('m.kind', gateways)} AND ${is(lampFamilies)} AND d.parent_id IS NULL
    )`,
  mounting: sql`poles AS (
      SELECT n.place, p.id FROM n JOIN device p ON p.road_id = n.id
        WHERE n.kind = 'road' AND ${among('p.family', poles)}
      UNION ALL SELECT n.place, n.id FROM n WHERE ${among('n.kind', poles)}
    ), lamps AS (SELECT p.place, d.id FROM poles p JOIN device d ON d.pole_id = p.id WHERE ${is(lampFamilies)})`,
};
