import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { lockWaiters } from '../../testing/row-locks.ts';
import { signInTestApp } from '../../testing/sign-in.ts';
import { createSessions } from './index.ts';
import { tokenHash, withoutPrefix } from './token.ts';

const app = await signInTestApp();
const minute = 60_000;
const day = 24 * 60 * minute;
const begin = (remember: boolean) =>
  app.sessions.begin({ accountId: 1, remember, address: '127.0.0.1', userAgent: undefined });
const who = async (token: string, headers: Record<string, string> = {}) =>
  (await app.call('/api/tbUsers/tbCurrentUser', { token, headers })).status;
const refresh = async (token: string, query = '') =>
  String((await app.call(`/api/system/refreshToken${query}`, { token })).body['token']);

/** The database, with the hash of every token that is looked for, in the order of the questions. */
function noting(db: typeof app.db, note: (hash: string) => void): typeof app.db {
  const visit = (part: unknown): void => {
    if (Buffer.isBuffer(part)) note(part.toString('hex'));
    else if (typeof part === 'object' && part !== null) Object.values(part).forEach(visit);
  };
  return db.withPlugin({
    transformQuery({ node }) {
      visit(node);
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  });
}

describe('a session', () => {
  test('ends after 30 minutes without a request of the operator; requests of the console itself do not count', async () => {
    const token = await begin(false);
    await app.clock.advance(29 * minute);
    expect(await who(token)).toBe(200);
    await app.clock.advance(29 * minute);
    expect(await who(token, { 'x-background': '1' })).toBe(200);
    await app.clock.advance(minute);
    expect(await who(token, { 'x-background': '1' })).toBe(401);
  });

  test('with remember-me lasts 30 days, and no session longer', async () => {
    const token = await begin(true);
    await app.clock.advance(29 * day);
    expect(await who(token)).toBe(200);
    await app.clock.advance(day);
    expect(await who(token)).toBe(401);
  });

  test('of an account that is deleted at the same moment is refused', async () => {
    const { accountId, token } = await app.signIn({ username: 'leaving' });
    await app.clock.advance(minute);
    const asked = await app.db.transaction().execute(async (tx) => {
      await tx.deleteFrom('account').where('id', '=', accountId).execute();
      const waiting = who(token);
      await lockWaiters(app.db, 2);
      return { waiting };
    });
    expect(await asked.waiting).toBe(401);
  });

  test('keeps only a hash of its token', async () => {
    const token = await begin(false);
    const rows = await app.db.selectFrom('session_token').select('token_hash').execute();
    expect(rows.some(({ token_hash: hash }) => hash.includes(token.slice(7)) || hash.length !== 32)).toBe(false);
  });
});

describe('rotation', () => {
  test('the old token stays good for 60 seconds', async () => {
    const old = await begin(false);
    const token = await refresh(old);
    expect(token).not.toBe(old);
    await app.clock.advance(minute - 1);
    expect([await who(old), await who(token)]).toEqual([200, 200]);
  });

  test('a token that was replaced more than 60 seconds ago and comes back ends its session and is logged; other sessions go on', async () => {
    const other = await begin(true);
    const old = await begin(true);
    const token = await refresh(old);
    const newer = await refresh(token);
    await app.clock.advance(minute);
    expect([await who(newer), await who(other)]).toEqual([200, 200]);
    expect([await who(old), await who(newer), await who(token), await who(other)]).toEqual([401, 401, 401, 200]);
    const row = app.db
      .selectFrom('operation_log')
      .select(['account_id', 'username', 'ip', 'status'])
      .where('message', '=', 'session.reused');
    expect(await row.execute()).toEqual([{ account_id: 1, username: 'admin', ip: '127.0.0.1', status: 401 }]);
    // Once it has ended there is nothing to end any more.
    expect(await who(old)).toBe(401);
    expect(await row.execute()).toHaveLength(1);
  });

  test('a token that was copied badly is refused and ends nothing', async () => {
    const token = await begin(true);
    for (const copy of [`${token}=`, token.replace('Bearer ', 'Bearer "')])
      expect([copy.length, await who(copy)]).toEqual([copy.length, 401]);
    expect(await who(token)).toBe(200);
  });

  test('forged tokens are nobody’s, and end nothing', async () => {
    const token = await begin(true);
    const bare = token.replace('Bearer ', '');
    const changed = (at: number) => bare.slice(0, at) + (bare[at] === 'A' ? 'B' : 'A') + bare.slice(at + 1);
    const forged = [
      'Bearer ',
      'x',
      `${bare}A`,
      bare.slice(1),
      bare.toLowerCase(),
      changed(3),
      'A'.repeat(43),
      `${bare} ${bare}`,
      Buffer.from(bare).toString('base64'),
      'Bearer null',
    ];
    for (const one of forged) expect([one, await who(one)]).toEqual([one, 401]);
    expect(await who(bare)).toBe(200);
  });

  describe('behind an address that asks with strange tokens', () => {
    const limits = { burst: 5, perSecond: 20, waiting: 10 };
    const from =
      (sessions: ReturnType<typeof createSessions>, address: string, atOnce = false) =>
      (token: string) =>
        sessions.authenticate(token, { background: true, address, atOnce }).then(
          (caller) => (caller ? 200 : 401),
          ({ status }: { status: number }) => status,
        );
    const guessed = () => randomBytes(32).toString('base64url');
    const guesses = (count: number) => Array.from({ length: count }, guessed);

    test('a session that this process has not seen yet waits its turn and is answered, its other requests with it; sessions at work do not wait', async () => {
      const asks = new Map<string, string>();
      const asked: string[] = [];
      const sessions = createSessions({
        ...app,
        limits,
        db: noting(app.db, (hash) => asked.push(asks.get(hash) ?? '')),
      });
      const [atWork, beginning] = [await begin(true), await begin(true)];
      const here = from(sessions, '2001:db8:1:2::1');
      expect(await here(atWork)).toBe(200);
      const named = (who: string, token: string) => {
        asks.set(tokenHash(withoutPrefix(token)).toString('hex'), who);
        return here(token);
      };
      const flood = guesses(9).map((token) => named('guess', token));
      const late = Array.from({ length: 20 }, () => named('beginning', beginning));
      const after = named('later', guessed());
      expect([
        await from(sessions, '2001:db8:1:2::2', true)(beginning),
        await from(sessions, '2001:db8:1:3::2')(beginning),
        await here(atWork),
      ]).toEqual([429, 200, 200]);
      expect([await Promise.all(flood), await Promise.all(late), await after]).toEqual([
        Array(9).fill(401),
        Array(20).fill(200),
        401,
      ]);
      // Answers may overtake each other on their way back from the database; questions do not.
      const [last, end] = [asked.lastIndexOf('guess'), asked.indexOf('later')];
      expect(asked.filter((who) => who === 'guess')).toHaveLength(9);
      expect(asked.slice(last + 1, end)).toContain('beginning');
      // Once for all that came with it here, and once from the other address.
      expect(asked.filter((who) => who === 'beginning')).toHaveLength(2);
    });

    test('the database is asked at the bounded rate, so many wait, and the others are told to come later; what is no token is refused at once', async () => {
      const sessions = createSessions({ ...app, limits });
      const here = from(sessions, '2001:db8:1:4::1');
      const [atWork, begun] = [await begin(true), performance.now()];
      expect(await here(atWork)).toBe(200);
      const flood = Promise.all(guesses(60).map(here));
      expect(await here('x')).toBe(401);
      const tries = await flood;
      const looked = tries.filter((status) => status === 401).length;
      expect(looked).toBeLessThanOrEqual(limits.burst + 1 + ((performance.now() - begun) / 1000) * limits.perSecond);
      expect([looked >= limits.burst + limits.waiting, tries.filter((status) => status === 429).length]).toEqual([
        true,
        60 - looked,
      ]);
      // One that ended is a stranger's again.
      await sessions.end(app.db as never, (await sessions.authenticate(atWork, { background: true }))?.sessionId ?? 0);
      void Promise.all(guesses(30).map(here));
      expect([await here(atWork), await from(sessions, '2001:db8:1:4::1', true)(atWork)]).toEqual([401, 429]);
    });
  });

  test('tabs that rotate at the same moment all go on', async () => {
    const old = await begin(false);
    const tokens = await Promise.all([refresh(old), refresh(old), refresh(old)]);
    expect(await Promise.all(tokens.map((token) => who(token)))).toEqual([200, 200, 200]);
    expect(new Set(tokens).size, 'the same successor').toBe(1);
    await app.clock.advance(minute / 2);
    const newer = await refresh(String(tokens[0]));
    expect([await refresh(old), newer === tokens[0]]).toEqual([newer, false]);
    // Another process knows the same one.
    const { sessionId } = (await app.sessions.authenticate(newer, { background: true })) ?? { sessionId: 0 };
    expect(await createSessions(app).rotate({ sessionId, token: old, remember: true })).toBe(newer);
    const kept = await app.db.selectFrom('session_token').selectAll().execute();
    expect(kept.some(({ successor }) => successor?.includes(String(tokens[0]).slice(7)))).toBe(false);
  });

  test('who comes late with the first token goes on as long as anybody else', async () => {
    const first = await begin(false);
    const second = await refresh(first);
    await app.clock.advance(55_000);
    await refresh(second);
    await app.clock.advance(4000);
    const late = await refresh(first);
    await app.clock.advance(minute);
    expect(await who(late)).toBe(200);
  });

  test('of a session that ended meanwhile is refused', async () => {
    await expect(app.sessions.rotate({ sessionId: 999_999, token: 'x', remember: true })).rejects.toMatchObject({
      code: 'sessionEnded',
    });
  });

  test('rememberme=0 ends remember-me; rememberme=1 does not begin it', async () => {
    const forgetting = await refresh(await begin(true), '?rememberme=0');
    const hoping = await refresh(await begin(false), '?rememberme=1');
    const kept = await refresh(await begin(true), '?rememberme=1');
    await app.clock.advance(31 * minute);
    expect([await who(forgetting), await who(hoping), await who(kept)]).toEqual([401, 401, 200]);
  });
});

describe('the end', () => {
  test('logout with the predecessor ends the session, its successor too, and says so on the bus', async () => {
    const ended: (readonly number[])[] = [];
    app.bus.subscribe('session.ended', ({ sessionIds }) => ended.push(sessionIds));
    const old = await begin(false);
    const token = await refresh(old);
    expect((await app.call('/api/system/logout', { method: 'POST', token: old })).body).toEqual({ success: true });
    expect([await who(old), await who(token)]).toEqual([401, 401]);
    expect(ended).toHaveLength(1);
    expect((await app.call('/api/system/logout', { method: 'POST', token })).status).toBe(200);
    const rows = await app.db
      .selectFrom('operation_log')
      .select(['username', 'status'])
      .where('message', '=', 'session.end')
      .execute();
    expect(rows).toEqual([{ username: 'admin', status: 200 }]);
  });

  test('a disabled account, a taken role and a new level hold from the next request', async () => {
    const { accountId, token } = await app.signIn({
      username: 'changing',
      level: 3,
      permissions: ['lamp.monitor'],
      workAreas: [1],
    });
    const caller = () => app.sessions.authenticate(token, { background: true });
    expect(await caller()).toMatchObject({ level: 3, workAreas: [1], permissions: new Set(['lamp.monitor']) });
    await app.db.deleteFrom('account_role').where('account_id', '=', accountId).execute();
    await app.db.updateTable('account').set({ level: 0 }).where('id', '=', accountId).execute();
    expect(await caller()).toMatchObject({ level: 0, workAreas: 'all', permissions: new Set() });
    await app.db.updateTable('account').set({ disabled: true }).where('id', '=', accountId).execute();
    expect(await caller()).toBeUndefined();
  });

  test('an account sees the work areas of its groups and of the groups of its organisations and of what is below them', async () => {
    const { accountId, token } = await app.signIn({ username: 'scoped', workAreas: [1] });
    const area = async (code: string) =>
      (
        await app.db
          .insertInto('work_area')
          .values({ work_code: code, work_name: code })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id;
    const [seen, foreign] = [await area('S2'), await area('S3')];
    const organisation = async (name: string, parent: number | null) =>
      (
        await app.db
          .insertInto('organisation')
          .values({ name, parent_id: parent })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id;
    const top = await organisation('top', null);
    const below = await organisation('below', await organisation('middle', top));
    for (const [workAreaId, organisationId] of [
      [seen, below],
      [foreign, 1],
    ] as const) {
      const { id } = await app.db
        .insertInto('work_group')
        .values({ work_area_id: workAreaId, name: 'g' })
        .returning('id')
        .executeTakeFirstOrThrow();
      await app.db
        .insertInto('organisation_work_group')
        .values({ organisation_id: organisationId, work_group_id: id })
        .execute();
    }
    await app.db.insertInto('organisation_account').values({ organisation_id: top, account_id: accountId }).execute();
    const caller = await app.sessions.authenticate(token, { background: true });
    expect(new Set<unknown>(caller?.workAreas)).toEqual(new Set([1, seen]));
  });

  test('what is over is swept away', async () => {
    await begin(false);
    await app.clock.advance(40 * day);
    await app.sessions.sweep();
    expect(await app.db.selectFrom('session').selectAll().execute()).toEqual([]);
    expect(await app.db.selectFrom('session_token').selectAll().execute()).toEqual([]);
  });
});

describe('sign-in links', () => {
  test('say whose they are, work once, and not after 60 seconds', async () => {
    const admin = await begin(false);
    const make = async () =>
      String((await app.call('/api/v1/sign-in-links', { method: 'POST', token: admin })).body['token']);
    const exchange = (token: string, peek?: boolean) =>
      app.call('/api/v1/sign-in-links/exchange', { token: null, body: { token, ...(peek ? { peek } : {}) } });
    const link = await make();
    expect(link).toMatch(/^Bearer%[\w-]{43}$/);
    expect((await exchange(link, true)).body).toEqual({ name: '管理员', username: 'admin' });
    const reply = await exchange(link.replace('%', ' '));
    expect(await who(String(reply.body['token']))).toBe(200);
    expect(await exchange(link)).toMatchObject({ status: 400, body: { code: 2011 } });
    const late = await make();
    await app.clock.advance(minute);
    expect((await exchange(late)).status).toBe(400);
  });

  test('a real session token in the address is refused', async () => {
    const token = await begin(false);
    expect(await app.call('/api/v1/sign-in-links/exchange', { token: null, body: { token } })).toMatchObject({
      status: 400,
      body: { code: 2011 },
    });
  });
});

test('a rotation and a logout at the same moment: no deadlock, no token of an ended session', async () => {
  for (let round = 0; round < 15; round += 1) {
    const token = await begin(true);
    const answers = await Promise.all([
      app.call('/api/system/refreshToken?rememberme=0', { token }),
      app.call('/api/system/logout', { token, method: 'POST' }),
      app.call('/api/system/refreshToken?rememberme=0', { token }),
    ]);
    expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 401)).toEqual([]);
  }
});
