import { createHash, randomBytes } from 'node:crypto';
import type pg from 'pg';
import { livePath, type ServerMessage } from '../../contract/live.ts';
import { client, signInAdmin, type Client } from '../../e2e/fixtures/api.ts';
import { startProduct, type Product } from '../../e2e/fixtures/product.ts';
import { median, type Figure, type Measure } from '../measure.ts';
import { productDatabase } from '../product-database.ts';

const accounts = 100_000;
const entriesPerRole = 200;
const requests = 3000;
const changes = 10;

/** What rights cost: looked up with every request, and how soon a changed role reaches a session that is open. */
export const rights: Measure = {
  key: 'rights',
  async run() {
    const product = await startProduct();
    const database = await productDatabase(product.dataDir);
    try {
      const admin = await signInAdmin(product, 'Bench-4711-night');
      await fill(database);
      return [await lookUp(product, database), await change(product, database, admin)];
    } finally {
      await database.end();
      await product.stop();
    }
  },
};

/**
 * Accounts with three roles of 200 entries each, members of a group and an organisation; the last account has nothing
 * at all.
 */
async function fill(database: pg.Client): Promise<void> {
  await database.query(`
    INSERT INTO account (username, name_key, password_hash, password_changed_at, level)
      SELECT 'b' || i, 'b' || i, '-', now(), 5 FROM generate_series(1, ${accounts}) i;
    INSERT INTO menu_entry (type, title, name, permission_code)
      SELECT 'button', 'b' || i, 'b' || i,
        (ARRAY['cscp.user.query', 'cscp.user.add', 'cscp.role.edit', 'lamp.monitor', 'lamp.control', 'device.query',
        'device.add'])[1 + i % 7] FROM generate_series(1, ${2 * entriesPerRole}) i;
    INSERT INTO role (name, name_key, extent, creator_name) SELECT 'b' || i, 'b' || i, '-', 'bench'
      FROM generate_series(1, 30) i;
    INSERT INTO role_menu SELECT r.id, m.id FROM role r, menu_entry m
      WHERE r.creator_name = 'bench' AND m.title LIKE 'b%' AND (m.id + r.id) % 2 = 0;
    INSERT INTO role_menu SELECT 1, id FROM menu_entry WHERE title LIKE 'b%';
    INSERT INTO account_role
      SELECT a.id, (SELECT min(id) FROM role WHERE creator_name = 'bench') + ((a.id + k * 7) % 30)
      FROM account a, generate_series(0, 2) k WHERE a.username LIKE 'b%' AND a.username <> 'b${accounts}';
    INSERT INTO work_group (work_area_id, name) SELECT 1, 'b' || i FROM generate_series(1, 50) i;
    INSERT INTO work_group_member SELECT (SELECT min(id) FROM work_group) + a.id % 50, a.id FROM account a
      WHERE a.username LIKE 'b%' AND a.username <> 'b${accounts}';
    INSERT INTO organisation (name) SELECT 'b' || i FROM generate_series(1, 20) i;
    INSERT INTO organisation_account SELECT (SELECT max(id) FROM organisation) - a.id % 20, a.id FROM account a
      WHERE a.username LIKE 'b%' AND a.username <> 'b${accounts}';
    ANALYZE`);
}

async function signedIn(database: pg.Client, username: string): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await database.query(
    `WITH made AS (INSERT INTO session (account_id, remember, address, expires_at)
      SELECT id, true, '127.0.0.1', now() + interval '1 day' FROM account WHERE username = $1 RETURNING id)
    INSERT INTO session_token (token_hash, session_id) SELECT $2, id FROM made`,
    [username, createHash('sha256').update(token).digest()],
  );
  return `Bearer ${token}`;
}

/**
 * The same call by an account with many rights and by one without any, in turns; and what reading the counter adds to
 * the session's query.
 */
async function lookUp(product: Product, database: pg.Client): Promise<Figure> {
  const [many, none] = [await signedIn(database, 'b7'), await signedIn(database, `b${accounts}`)];
  const call = (token: string) =>
    timed(() =>
      fetch(`${product.url}/api/v1/me/preferences`, { headers: { authorization: token } }).then((reply) =>
        reply.arrayBuffer(),
      ),
    );
  const [withRights, without]: [number[], number[]] = [[], []];
  for (let round = 0; round < requests; round += 1) {
    withRights.push(await call(many));
    without.push(await call(none));
  }
  const counter = await counterCost(database, many);
  const first = await afterChange(database, call, many);
  const warm = (times: number[]) => median(times.slice(200));
  const added = warm(withRights) - warm(without) + counter;
  return {
    name: `Rights of a request (3 roles of ${entriesPerRole} entries, ${accounts} accounts)`,
    value: added,
    unit: 'ms',
    reach: 0.2,
    samples: [warm(withRights), warm(without), counter],
    note: `a call with rights ${warm(withRights).toFixed(3)} ms, without any ${warm(without).toFixed(3)} ms; the counter in the session's query ${counter.toFixed(3)} ms; the first call after a change of rights ${first.toFixed(3)} ms`,
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

async function counterCost(database: pg.Client, token: string): Promise<number> {
  const hash = createHash('sha256').update(token.slice(7)).digest();
  const query = (counter: string) =>
    timed(() =>
      database.query(
        `SELECT s.id, a.id, a.username, a.level, a.disabled, s.remember, s.last_active_at, s.expires_at,
          s.preview_session_id${counter}
    FROM session_token t JOIN session s ON s.id = t.session_id JOIN account a ON a.id = s.account_id
      WHERE t.token_hash = $1 AND (t.valid_until IS NULL OR t.valid_until > now())`,
        [hash],
      ),
    );
  const [bare, counted]: [number[], number[]] = [[], []];
  for (let round = 0; round < 1000; round += 1) {
    bare.push(await query(''));
    counted.push(await query(', (SELECT base FROM rights_counter) + (SELECT count(*) FROM rights_change)'));
  }
  return median(counted) - median(bare);
}

async function afterChange(
  database: pg.Client,
  call: (token: string) => Promise<number>,
  token: string,
): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 50; round += 1) {
    await database.query(`UPDATE menu_entry SET icon = 'i${round}' WHERE name = 'b1'`);
    times.push(await call(token));
  }
  return median(times);
}

/** A role loses and gets a code through the console's own call; an open socket of an account that holds it is told. */
async function change(product: Product, database: pg.Client, admin: Client): Promise<Figure> {
  const { rows } = await database.query<{ id: string }>(
    `SELECT r.id FROM account_role ar JOIN role r ON r.id = ar.role_id JOIN account a ON a.id = ar.account_id
      WHERE a.username = 'b7' LIMIT 1`,
  );
  const role = Number(rows[0]?.id);
  const { rows: held } = await database.query<{ ids: string }>(
    `SELECT string_agg(id::text, ',') AS ids FROM menu_entry
      WHERE permission_code = 'lamp.monitor' AND title LIKE 'b%'`,
  );
  await database.query(
    'DELETE FROM role_menu USING menu_entry m WHERE role_id <> 1 AND menu_id = m.id AND m.permission_code = $1 AND m.title LIKE $2',
    ['lamp.monitor', 'b%'],
  );
  const token = await signedIn(database, 'b7');
  const socket = await watch(product, token);
  const samples: number[] = [];
  try {
    for (let round = 0; round < changes; round += 1) {
      const from = performance.now();
      const told = socket.next('menus');
      // A failed save is what to hear of then.
      told.catch(() => undefined);
      await save(product, admin, role, round % 2 === 0 ? (held[0]?.ids ?? '') : '');
      await told;
      samples.push((performance.now() - from) / 1000);
      const { permissions } = await client(product.url, token).get<{ permissions: string[] }>('/api/v1/me');
      if (permissions.includes('lamp.monitor') !== (round % 2 === 0))
        throw new Error('the open session does not have what its role has');
    }
  } finally {
    socket.close();
  }
  return {
    name: 'A role change reaches an open session',
    value: Math.max(...samples),
    unit: 's',
    reach: 1,
    samples,
    note: `from the call that saves the role to the message on the socket, the longest of ${changes}`,
  };
}

async function save(product: Product, admin: Client, role: number, menus: string): Promise<void> {
  const reply = await fetch(`${product.url}/api/system/menu/save`, {
    method: 'POST',
    headers: { authorization: admin.token, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ roles: String(role), menus, permissions: '' }),
  });
  if (!reply.ok) throw new Error(`the role could not be saved: ${reply.status} ${await reply.text()}`);
}

async function watch(
  product: Product,
  token: string,
): Promise<{ next(type: ServerMessage['type']): Promise<void>; close(): void }> {
  const socket = new WebSocket(product.url.replace('http', 'ws') + livePath);
  const waiting = new Map<string, PromiseWithResolvers<void>>();
  const next = (type: string) => {
    const one = Promise.withResolvers<void>();
    waiting.set(type, one);
    return one.promise;
  };
  socket.addEventListener('close', ({ code }) =>
    waiting.forEach(({ reject }) => reject(new Error(`the socket closed with ${code}`))),
  );
  socket.addEventListener('message', ({ data }) =>
    waiting.get((JSON.parse(String(data)) as ServerMessage).type)?.resolve(),
  );
  const opened = next('welcome');
  socket.addEventListener('open', () => socket.send(JSON.stringify({ type: 'hello', token })), { once: true });
  await opened;
  socket.send(JSON.stringify({ type: 'subscribe', topics: ['menus'] }));
  return { next, close: () => socket.close() };
}
