import type pg from 'pg';
import { signInAdmin, type Client } from '../../e2e/fixtures/api.ts';
import { startProduct } from '../../e2e/fixtures/product.ts';
import type { Figure, Measure } from '../measure.ts';
import { percentile, timed } from '../percentile.ts';
import { productDatabase } from '../product-database.ts';

const organisations = 5000;
const accounts = 100_000;
const rounds = 60;

/** A tree of 5,000 organisations, and choosing people among 100,000 accounts for it. */
export const organisationTree: Measure = {
  key: 'organisations',
  async run() {
    const product = await startProduct();
    const database = await productDatabase(product.dataDir);
    try {
      const admin = await signInAdmin(product, 'Bench-4711-night');
      await fill(database);
      return [await opening(database, admin), await dragging(database, admin), await choosing(admin)];
    } finally {
      await database.end();
      await product.stop();
    }
  },
};

/** One node with 2,500 children, the others below those; everybody in some organisation. */
async function fill(database: pg.Client): Promise<void> {
  await database.query(`
    INSERT INTO account (username, name_key, password_hash, level, family_name, given_name, mobile)
      SELECT 'b' || i, 'b' || i, '-', 5, substr('赵钱孙李周吴郑王', 1 + i % 8, 1), '灯' || i % 1000,
      '138' || lpad(i::text, 8, '0') FROM generate_series(1, ${accounts}) i;
    INSERT INTO work_group (work_area_id, name) SELECT 1, 'b' || i FROM generate_series(1, 200) i;
    INSERT INTO organisation (name) VALUES ('bench top');
    INSERT INTO organisation (name, parent_id, sort_order) SELECT 'b' || i,
      (SELECT max(id) FROM organisation WHERE name = 'bench top'), i FROM generate_series(1, ${organisations / 2}) i;
    INSERT INTO organisation (name, parent_id, sort_order) SELECT 'c' || id, id, 1 FROM organisation
      WHERE name LIKE 'b_%' AND name <> 'bench top';
    INSERT INTO organisation_account
      SELECT (SELECT min(id) FROM organisation WHERE name = 'b1') + a.id % ${organisations / 2}, a.id FROM account a
      WHERE a.username LIKE 'b%';
    INSERT INTO organisation_work_group SELECT o.id, (SELECT min(id) FROM work_group WHERE name = 'b1') + o.id % 200
      FROM organisation o WHERE o.name LIKE 'b%' OR o.name LIKE 'c%';
    ANALYZE`);
}

async function opening(database: pg.Client, admin: Client): Promise<Figure> {
  const { rows } = await database.query<{ id: string }>(
    `SELECT id FROM organisation WHERE name LIKE 'b%' ORDER BY random() LIMIT ${rounds}`,
  );
  const samples: number[] = [];
  for (const { id } of rows) samples.push(await timed(() => admin.get(`/api/system/cscpOrgs/all?parentId=${id}`)));
  const {
    rows: [top],
  } = await database.query<{ id: string }>(`SELECT id FROM organisation WHERE name = 'bench top'`);
  const widest = await timed(() => admin.get(`/api/system/cscpOrgs/all?parentId=${top?.id ?? 0}`));
  return {
    name: `A tree of ${organisations} organisations opens any node, p95`,
    value: percentile(samples, 0.95),
    unit: 'ms',
    reach: 100,
    samples,
    note: `${rounds} nodes through HTTP; the one with ${organisations / 2} children and their ${accounts} people, all in one answer: ${widest.toFixed(0)} ms`,
  };
}

async function dragging(database: pg.Client, admin: Client): Promise<Figure> {
  const { rows } = await database.query<{ id: string }>(
    `SELECT id FROM organisation WHERE name LIKE 'c%' ORDER BY random() LIMIT ${rounds + 1}`,
  );
  const samples: number[] = [];
  for (let at = 0; at < rounds; at += 1)
    samples.push(
      await timed(() =>
        admin.send('POST', '/api/system/cscpOrgs/updateOrg', [
          { id: Number(rows[at]?.id), parentId: Number(rows[at + 1]?.id), orderby: 0 },
        ]),
      ),
    );
  return {
    name: `A drag in a tree of ${organisations} organisations, p95`,
    value: percentile(samples, 0.95),
    unit: 'ms',
    reach: 100,
    samples,
    note: 'checked for cycles in the whole tree, stored and written down',
  };
}

async function choosing(admin: Client): Promise<Figure> {
  const fields = ['username', 'familyName', 'name', 'mobile', 'email', 'discTitle', 'discDetail'];
  const samples: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const text = [`b${round * 997}`, `0000${round}`, `灯${round * 7}`, '赵'][round % 4] ?? '';
    samples.push(
      await timed(() =>
        admin.get(
          `/api/system/cscpUserDetailsOr?${new URLSearchParams({ page: '0', size: '1000', ...Object.fromEntries(fields.map((field) => [field, text])) })}`,
        ),
      ),
    );
  }
  return {
    name: `People to choose by any field among ${accounts} accounts, p95`,
    value: percentile(samples, 0.95),
    unit: 'ms',
    reach: 200,
    samples,
    note: `parts of names, mobile numbers and family names; median ${percentile(samples, 0.5).toFixed(1)} ms`,
  };
}
