import type pg from 'pg';
import { signInAdmin, type Client } from '../../e2e/fixtures/api.ts';
import { startProduct } from '../../e2e/fixtures/product.ts';
import type { Figure, Measure } from '../measure.ts';
import { percentile, timed } from '../percentile.ts';
import { productDatabase } from '../product-database.ts';

const accounts = 100_000;
const rounds = 40;
const size = 50;

interface Answer {
  data: { id: number }[];
  recordsTotal: number;
}
interface Ask {
  readonly path: string;
  readonly where: string;
  readonly offset: number;
}

/**
 * 100,000 accounts: pages, levels and searches against the bare SQL of the same rows, their roles and their count, in
 * one run.
 */
export const accountList: Measure = {
  key: 'accounts',
  async run() {
    const product = await startProduct();
    const database = await productDatabase(product.dataDir);
    try {
      const admin = await signInAdmin(product, 'Bench-4711-night');
      await fill(database);
      const pages = Array.from({ length: rounds }, (_, round): Ask => {
        const level = round % 6;
        const page = 1 + ((round * 37) % (level === 0 ? 2000 : 300));
        return {
          path: `page=${page}${level === 0 ? '' : `&treeLevel=${level}`}`,
          where: level === 0 ? 'true' : `level = ${level}`,
          offset: (page - 1) * size,
        };
      });
      const searches = Array.from({ length: rounds }, (_, round): Ask => {
        const text =
          [`bench${(round * 2503) % accounts}`, `h${(round * 251) % 10_000}`, `灯${(round * 97) % 1000}号`, '九'][
            round % 4
          ] ?? '';
        return {
          path: `page=1&username=${encodeURIComponent(text)}&nickname=${encodeURIComponent(text)}`,
          where: `(name_key LIKE '%${text}%' OR nickname_key LIKE '%${text}%')`,
          offset: 0,
        };
      });
      return [
        await against(database, admin, 'Any page and level of 100,000 accounts against bare SQL', pages, 3),
        await against(database, admin, 'Text search among 100,000 accounts against bare SQL', searches, 2),
      ];
    } finally {
      await database.end();
      await product.stop();
    }
  },
};

const fill = (database: pg.Client) =>
  database.query(`
  INSERT INTO account (username, name_key, nickname, password_hash, level)
    SELECT 'bench' || i, 'bench' || i, '灯' || i % 1000 || '号', '-', 1 + i % 5 FROM generate_series(1, ${accounts}) i;
  INSERT INTO account_role SELECT id, 1 FROM account WHERE username LIKE 'bench%';
  ANALYZE`);

/** The same rows with their roles, and how many match up to the 10,000 that are counted exactly. */
async function bare(database: pg.Client, { where, offset }: Ask): Promise<number> {
  const page = await database.query(`
    SELECT a.id, a.username, a.nickname, a.level, a.created_at, a.updated_at, a.last_login_at,
      (SELECT string_agg(r.name, ',') FROM account_role ar JOIN role r ON r.id = ar.role_id
        WHERE ar.account_id = a.id) AS roles
    FROM (SELECT id FROM account WHERE ${where} ORDER BY id LIMIT ${size} OFFSET ${offset}) p JOIN account a USING (id)
      ORDER BY a.id`);
  await database.query(`SELECT count(*) FROM (SELECT 1 FROM account WHERE ${where} LIMIT 10001) AS matching`);
  return page.rows.length;
}

async function against(
  database: pg.Client,
  admin: Client,
  name: string,
  asks: readonly Ask[],
  reach: number,
): Promise<Figure> {
  const [product, anchor, ratios]: [number[], number[], number[]] = [[], [], []];
  for (const ask of asks) {
    let [shown, rows] = [0, 0];
    const call = async () => {
      shown = (await admin.get<Answer>(`/api/tbUsers?sort=user_id&size=${size}&${ask.path}`)).data.length;
    };
    const query = async () => {
      rows = await bare(database, ask);
    };
    // Both once before they are timed, so that neither pays for the other's cold pages.
    await query();
    await call();
    const [ours, theirs] = [await timed(call), await timed(query)];
    if (shown !== rows) throw new Error(`${ask.path}: ${shown} rows instead of ${rows}`);
    product.push(ours);
    anchor.push(theirs);
    ratios.push(ours / theirs);
  }
  return {
    name,
    value: percentile(ratios, 0.5),
    unit: '×',
    reach,
    samples: ratios,
    note: `median ${percentile(product, 0.5).toFixed(1)} ms and p95 ${percentile(product, 0.95).toFixed(1)} ms through HTTP; bare SQL ${percentile(anchor, 0.5).toFixed(1)} and ${percentile(anchor, 0.95).toFixed(1)} ms`,
  };
}
