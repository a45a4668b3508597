import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { signInAdmin, type Client } from '../../e2e/fixtures/api.ts';
import { startProduct } from '../../e2e/fixtures/product.ts';
import type { Figure, Measure } from '../measure.ts';
import { percentile, timed } from '../percentile.ts';
import { productDatabase } from '../product-database.ts';

const devices = 100_000;
const rounds = 60;
const names = [
  '滨江大道',
  '重庆路',
  '人民广场',
  '钱塘江路',
  '西兴街道',
  '文化宫前街',
  '江南大道',
  '长河路',
  '火炬大道',
  '月明路',
];

interface Answer {
  groups: { kind: string; items: { id: number }[] }[];
}

/**
 * The global search over 100,000 devices through HTTP against one bare scan of the same rows for the same text, in one
 * run.
 */
export const globalSearch: Measure = {
  key: 'search',
  async run() {
    const product = await startProduct();
    const before = await productDatabase(product.dataDir);
    await fill(before);
    await before.end();
    try {
      // The next start gives pinyin and initials to all of them.
      await product.restart();
      const database = await productDatabase(product.dataDir);
      const filled = await timed(() => allHaveWords(database));
      await database.query('VACUUM ANALYZE device');
      const admin = await signInAdmin(product, 'Bench-4711-night');
      const figure = await measured(database, admin, filled);
      await database.end();
      return [figure];
    } finally {
      await product.stop();
    }
  },
};

const fill = (database: pg.Client) =>
  database.query(
    `INSERT INTO device (family, work_area_id, equipment_code, equipment_name)
  SELECT CASE WHEN i % 3 = 0 THEN 'lamp-pole' ELSE 'single-lamp-controller' END, 1, CASE WHEN i % 3 = 0 THEN 'P-'
    ELSE 'BJ-' END || i,
    ($1::text[])[i % ${names.length} + 1] || ' ' || i % 500 || CASE WHEN i % 3 = 0 THEN '号杆' ELSE '号灯' END
      FROM generate_series(0, ${devices - 1}) i`,
    [names],
  );

async function allHaveWords(database: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await database.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM device WHERE search_words IS NULL',
    );
    if (rows[0]?.n === 0) return;
    await sleep(200);
  }
}

/** As the index is asked: two letters at the beginning of a word, more of them anywhere. */
const patterns = (text: string): string[] =>
  text
    .toLowerCase()
    .split(' ')
    .map((word) => (word.length <= 2 ? `%\n${word}%` : `%${word}%`));

/**
 * What operators type: whole codes, beginnings, parts of names, pinyin, initials, two letters, several words, nothing
 * that exists.
 */
function texts(round: number): string {
  const n = (round * 7919) % devices;
  return (
    [
      `BJ-${n}`,
      `P-${n}`,
      '人民',
      'qiantang',
      'whgqj',
      'cq',
      `${n % 1000}`,
      `滨江 ${n % 500}`,
      'huoju',
      'zzz',
      'b',
      'jnd',
    ][round % 12] ?? ''
  );
}

async function measured(database: pg.Client, admin: Client, filled: number): Promise<Figure> {
  const [product, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    const text = texts(round);
    const sought = patterns(text);
    const conditions = sought.map((_pattern, index) => `search_key LIKE $${index + 1}`).join(' AND ');
    const scan = () =>
      database.query(
        `SELECT id FROM device WHERE ${conditions} ORDER BY equipment_code COLLATE natural_order LIMIT 16`,
        sought,
      );
    let answer: Answer = { groups: [] };
    const call = async () => {
      answer = await admin.get<Answer>(`/api/v1/search?q=${encodeURIComponent(text)}`);
    };
    const { rows } = await scan();
    await call();
    if ((rows.length === 0) !== (answer.groups.length === 0))
      throw new Error(`"${text}": ${rows.length} rows, ${answer.groups.length} groups`);
    product.push(await timed(call));
    bare.push(await timed(scan));
  }
  const p95 = percentile(product, 0.95);
  return {
    name: 'Global search among 100,000 devices, p95 through HTTP',
    value: p95,
    unit: 'ms',
    reach: 150,
    samples: product,
    note: `median ${percentile(product, 0.5).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms for three kinds; bare SQL of one kind, unranked: ${percentile(bare, 0.5).toFixed(1)} and ${percentile(bare, 0.95).toFixed(1)} ms; the words of all of them written after a start in ${(filled / 1000).toFixed(1)} s`,
  };
}
