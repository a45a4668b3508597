import type pg from 'pg';
import { families, sqlTypeOf, type Field } from '../../catalogue/index.ts';
import { signInAdmin, type Client } from '../../e2e/fixtures/api.ts';
import { startProduct } from '../../e2e/fixtures/product.ts';
import type { Figure, Measure } from '../measure.ts';
import { percentile, timed } from '../percentile.ts';
import { productDatabase } from '../product-database.ts';
import { devices, fillPoles, roadOf } from './devices-fill.ts';

const rounds = 60;
const size = 20;
const poles = families.find((family) => family.key === 'lamp-pole')?.fields ?? [];

/**
 * Lists of 1,000,000 poles through HTTP, against bare SQL for the same answer in the same run: the rows of the page
 * with what they refer to by name and what is known of them, and how many there are up to 10,000. Next and previous
 * deep inside against page 1; jumps.
 */
export const deviceLists: Measure = {
  key: 'device-lists',
  async run() {
    const product = await startProduct();
    const database = await productDatabase(product.dataDir);
    try {
      const admin = await signInAdmin(product, 'Bench-4711-night');
      await fillPoles(database);
      const list = (query: Record<string, string>) =>
        admin.get<Page>(
          `/api/v1/devices?${new URLSearchParams({ family: 'lamp-pole', size: String(size), ...query })}`,
        );
      const floor = await many(rounds, () => timed(() => admin.get('/api/tbUsers/tbCurrentUser')));
      const told = `the smallest call takes ${ms(floor, 0.95)} (median ${ms(floor, 0.5)})`;
      return [
        ...(await several(
          pages.map((ask) => ({ ...ask, rounds })),
          list,
          database,
          told,
        )),
        ...(await several(
          [
            { name: 'in the order of every field marked sort, both directions', ...anyOf(orders) },
            { name: 'by every field marked filter', ...anyOf(filters) },
          ],
          list,
          database,
          told,
        )),
        ...(await neighbours(list)),
        ...(await jumps(admin, list)),
      ];
    } finally {
      await database.end();
      await product.stop();
    }
  },
};

interface Page {
  readonly data: readonly { readonly id: number }[];
  readonly next?: string;
  readonly previous?: string;
}
type List = (query: Record<string, string>) => Promise<Page>;
interface One {
  readonly query: Record<string, string>;
  readonly where?: string;
  readonly order?: string;
  readonly offset?: number;
}
interface Ask {
  readonly name: string;
  readonly rounds: number;
  readonly of: (round: number) => One;
}

const ms = (samples: readonly number[], share: number): string => `${percentile(samples, share).toFixed(1)} ms`;
async function many<T>(times: number, one: (round: number) => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  for (let round = 0; round < times; round += 1) all.push(await one(round));
  return all;
}

/** The same in SQL, by somebody who knows the indexes: first which rows, then all about them. */
async function bare(
  database: pg.Client,
  { where = 'true', order = 'd.equipment_code COLLATE natural_order, d.id', offset = 0 }: One,
): Promise<void> {
  const label = order.startsWith('r.')
    ? 'JOIN road r ON r.id = d.road_id'
    : order.startsWith('ch.')
      ? 'JOIN channel ch ON ch.id = d.channel_id'
      : '';
  await database.query(`SELECT d.*, d.props - 'pic' AS props, a.work_name, r.road_name, g.group_name, ch.channel_name,
    p.equipment_code AS pole, c.equipment_code AS parent, s.state, s.online, s.fault, s.since, l.at, l.received_at,
    l.values
    FROM unnest(ARRAY(SELECT d.id FROM device d ${label} WHERE d.family = 'lamp-pole' AND ${where} ORDER BY ${order}
      LIMIT ${size} OFFSET ${offset})) WITH ORDINALITY AS page(id, place) JOIN device d ON d.id = page.id
    JOIN work_area a ON a.id = d.work_area_id LEFT JOIN road r ON r.id = d.road_id
      LEFT JOIN equipment_group g ON g.id = d.group_id LEFT JOIN channel ch ON ch.id = d.channel_id
    LEFT JOIN device p ON p.id = d.pole_id LEFT JOIN device c ON c.id = d.parent_id
      LEFT JOIN device_state s ON s.device_id = d.id LEFT JOIN device_latest l ON l.device_id = d.id
      ORDER BY page.place`);
  await database.query(
    `SELECT count(*)
      FROM (SELECT 1 FROM device d WHERE d.family = 'lamp-pole' AND ${where.replace(/ AND .* IS NOT NULL$/, '')}
      LIMIT 10001) AS counted`,
  );
}

async function several(asks: readonly Ask[], list: List, database: pg.Client, told: string): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { name, rounds: times, of } of asks) {
    for (let round = 0; round < 3; round += 1) {
      await list(of(times + round).query);
      await bare(database, of(times + round));
    }
    const pairs = await many(times, async (round) => ({
      ours: await timed(() => list(of(round).query)),
      theirs: await timed(() => bare(database, of(round))),
    }));
    const [ours, theirs] = [pairs.map((pair) => pair.ours), pairs.map((pair) => pair.theirs)];
    figures.push({
      name: `${devices} poles, ${name}, p95 against bare SQL`,
      value: percentile(ours, 0.95) / percentile(theirs, 0.95),
      unit: 'times',
      reach: 3,
      samples: ours,
      note: `${ms(ours, 0.95)} (median ${ms(ours, 0.5)}) against ${ms(theirs, 0.95)} (median ${ms(theirs, 0.5)}); ${times} asks; ${told}`,
    });
  }
  return figures;
}

const page = (round: number): number => 1 + (((round + 3) * 7) % 200);
const code = 'd.equipment_code COLLATE natural_order';
const pages: readonly Omit<Ask, 'rounds'>[] = [
  {
    name: 'any of the first 200 pages',
    of: (round) => ({ query: { page: String(page(round)) }, offset: (page(round) - 1) * size }),
  },
  {
    name: 'the same backwards',
    of: (round) => ({
      query: { page: String(page(round)), sort: 'equipmentCode,desc' },
      order: `${code} DESC, d.id DESC`,
      offset: (page(round) - 1) * size,
    }),
  },
  {
    name: 'one road',
    of: (round) => ({ query: { roadId: String(roadOf(round * 17)) }, where: `d.road_id = ${roadOf(round * 17)}` }),
  },
  {
    name: 'a rare material on one road',
    of: (round) => ({
      query: { roadId: String(roadOf(round * 17)), material: 'composite' },
      where: `d.road_id = ${roadOf(round * 17)} AND d.props @> '{"material":"composite"}'`,
    }),
  },
];

const anyOf = (list: readonly One[]): Omit<Ask, 'name'> => ({
  rounds: list.length * 3,
  of: (round) => list[round % list.length] ?? { query: {} },
});

const orders: readonly One[] = poles
  .filter((field) => field.sort)
  .flatMap((field) =>
    ['asc', 'desc'].map((way) => {
      const label = { road_id: 'r.road_name', channel_id: 'ch.channel_name' }[field.column ?? ''];
      const at = label ?? (field.column ? `d.${field.column}` : `(d.props ->> '${field.key}')`);
      const type = label ? 'text' : sqlTypeOf(field);
      const by =
        type === 'date'
          ? `${at} COLLATE "C"`
          : field.column === 'enabled'
            ? at
            : type === 'text'
              ? `${at} COLLATE natural_order`
              : field.column
                ? at
                : `${at}::float8`;
      const direction = (way === 'desc') !== (field.column === 'enabled') ? 'DESC' : 'ASC';
      return {
        query: { sort: `${field.key},${way}` },
        where: `true AND ${at} IS NOT NULL`,
        order: `${by} ${direction}, d.id ${direction}`,
      };
    }),
  );

const values = (field: Field): readonly string[] =>
  field.kind === 'select' ? field.options : field.kind === 'boolean' ? ['true', 'false'] : [];
const filters: readonly One[] = poles
  .filter((field) => field.filter)
  .flatMap((field): One[] => {
    if (field.column === 'enabled')
      return [true, false].map((on) => ({
        query: { [field.key]: on ? 'enabled' : 'disabled' },
        where: `d.enabled = ${on}`,
      }));
    if (field.kind === 'reference')
      return [0, 1]
        .map((n) => (field.column === 'road_id' ? roadOf(n * 31) : field.column === 'work_area_id' ? 900 : 90_000 + n))
        .map((id) => ({ query: { [field.key]: String(id) }, where: `d.${field.column} = ${id}` }));
    return values(field)
      .slice(0, 3)
      .map((value) => ({
        query: { [field.key]: value },
        where: `d.props @> '${JSON.stringify({ [field.key]: field.kind === 'boolean' ? value === 'true' : value })}'`,
      }));
  });

/** In every order: ten steps forwards and ten back in the middle of the list, against its first page. */
async function neighbours(list: List): Promise<Figure[]> {
  const [first, deep]: [number[], number[]] = [[], []];
  for (const { query } of orders) {
    await list(query);
    first.push(...(await many(10, () => timed(() => list(query)))));
    let at = await list({ ...query, page: '25000' });
    for (let step = 0; step < 20; step += 1) {
      const place: Record<string, string> = step < 10 ? { after: at.next ?? '' } : { before: at.previous ?? '' };
      deep.push(
        await timed(async () => {
          at = await list({ ...query, ...place });
        }),
      );
    }
  }
  return [
    {
      name: `${devices} poles, next and previous around page 25,000 in every order, p95 against page 1`,
      value: percentile(deep, 0.95) / percentile(first, 0.95),
      unit: 'times',
      reach: 2,
      samples: deep,
      note: `${ms(deep, 0.95)} (median ${ms(deep, 0.5)}) against ${ms(first, 0.95)} (median ${ms(first, 0.5)})`,
    },
  ];
}

async function jumps(admin: Client, list: List): Promise<Figure[]> {
  const samples = await many(20, (round) =>
    timed(() => admin.get(`/api/v1/devices?family=lamp-pole&size=${size}&page=${49_900 + round * 5}`)),
  );
  const middle = await many(5, (round) => timed(() => list({ page: String(25_000 + round) })));
  const [others, othersMiddle]: [number[], number[]] = [[], []];
  for (const { query } of orders) {
    others.push(...(await many(2, (round) => timed(() => list({ ...query, page: String(49_990 + round * 9) })))));
    othersMiddle.push(await timed(() => list({ ...query, page: '25000' })));
  }
  return [
    {
      name: `${devices} poles, a jump to page 50,000, p95`,
      value: percentile(samples, 0.95),
      unit: 'ms',
      reach: 200,
      samples,
      note: `median ${ms(samples, 0.5)}; to page 25,000, the middle: median ${ms(middle, 0.5)}`,
    },
    {
      name: `${devices} poles, a jump to page 50,000 in every order, p95`,
      value: percentile(others, 0.95),
      unit: 'ms',
      reach: 200,
      samples: others,
      note: `median ${ms(others, 0.5)}; to the middle, which nothing shortens: median ${ms(othersMiddle, 0.5)}, slowest ${ms(othersMiddle, 1)}`,
    },
  ];
}
