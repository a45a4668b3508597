import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Type } from 'typebox';
import { afterAll } from 'vitest';
import { Id, Nullable, route, specified } from '../../../../../contract/route.ts';
import { apiDocsRoutes } from '../../../shell/api-docs/index.ts';
import { testApp } from '../../../testing/app.ts';
import { bind, refuse, type Binding } from '../index.ts';

/** Routes of every kind behind the front door, with a console of a few files. Call it at the top of a test file. */
export async function servedRoutes() {
  const folder = mkdtempSync(join(tmpdir(), 'lampyris-console-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'assets'));
  for (const [name, text] of Object.entries({
    'index.html': 'console',
    'sign-in.html': 'sign-in',
    'assets/app-1a2b.js': 'x'.repeat(3000),
    'assets/app-1a2b.js.br': 'packed',
    'icon.svg': '<svg/>',
  }))
    writeFileSync(join(folder, name), text);

  const Body = Type.Object({
    count: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 10 }))),
    name: Type.String({ minLength: 1, maxLength: 5 }),
    on: Type.Optional(Type.Boolean()),
    kind: Type.Optional(Type.Union([Type.Literal('a'), Type.Literal('b')])),
    place: Type.Optional(Type.Object({ x: Type.Number() })),
    ids: Type.Optional(Type.Array(Type.Integer())),
    free: Type.Optional(Type.Unknown()),
    things: Type.Optional(Type.Array(Id)),
  });
  const anything = Type.Unknown();
  const shape = { tag: 'test', summary: 'For this test.', reply: anything } as const;
  const ours = route({
    ...shape,
    method: 'POST',
    path: '/api/v1/things',
    access: 'lamp.control',
    action: 'thing.change',
    areaScoped: true,
    body: Body,
  });
  const fixed = specified({
    ...shape,
    method: 'POST',
    path: '/api/fixed',
    access: 'session',
    action: 'thing.change',
    body: Body,
  });
  const listed = route({
    ...shape,
    method: 'GET',
    path: '/api/v1/things',
    access: 'lamp.monitor',
    areaScoped: true,
    query: Type.Object({ ids: Type.Optional(Type.Array(Type.Integer())), state: Type.Optional(Type.String()) }),
  });
  const one = route({
    ...shape,
    method: 'GET',
    path: '/api/v1/things/:id',
    access: 'session',
    params: Type.Object({ id: Type.Integer({ minimum: 1 }) }),
  });
  const limited = route({
    ...shape,
    method: 'POST',
    path: '/api/v1/limited',
    access: 'lamp.control',
    action: 'thing.change',
    body: Body,
  });
  const changing = route({
    ...shape,
    method: 'PUT',
    path: '/api/v1/changing',
    access: 'session',
    action: 'thing.change',
    body: Type.Object({
      password: Type.String(),
      nested: Type.Object({ newPassword: Type.String(), picture: Type.String() }),
      fail: Type.Optional(Type.Boolean()),
    }),
  });
  const crossing = route({
    ...shape,
    method: 'PUT',
    path: '/api/v1/crossing',
    access: 'session',
    action: 'thing.change',
    body: Type.Object({ first: Type.String(), second: Type.String() }),
  });
  const broken = route({ ...shape, method: 'GET', path: '/api/v1/broken', access: 'public' });
  const slow = route({ ...shape, method: 'GET', path: '/api/v1/slow', access: 'public' });
  const download = route({
    ...shape,
    method: 'GET',
    path: '/api/v1/file',
    access: 'public',
    replyKind: 'file',
    sends: ['text/csv'],
  });

  /** Both have their first row before either asks for its second. */
  const [bothBegun, begun] = [Promise.withResolvers<void>(), new Set<string>()];
  const routes: Binding[] = [
    bind(
      crossing,
      ({ body: { first, second } }, ctx) =>
        ctx.change({ action: 'thing.cross' }, async (tx) => {
          await tx.updateTable('setting').set({ value: second }).where('name', '=', first).execute();
          if (begun.add(first).size === 2) bothBegun.resolve();
          await bothBegun.promise;
          await tx.updateTable('setting').set({ value: first }).where('name', '=', second).execute();
          return null;
        }),
      { rules: 'none' },
    ),
    bind(ours, (input, ctx) => ({ ...input, workAreaId: ctx.caller.workAreaId }), { rules: 'none' }),
    bind(
      fixed,
      (input, ctx) => ({
        ...input,
        workAreaId: ctx.caller.workAreaId,
        timezoneOffset: ctx.timezoneOffset,
        language: ctx.language,
      }),
      { rules: 'none' },
    ),
    bind(listed, (input) => input),
    bind(one, () => {
      throw refuse('notFound');
    }),
    bind(limited, () => null, { limit: () => Promise.resolve(17), rules: 'none' }),
    bind(
      changing,
      ({ body }, ctx) =>
        ctx.change({ action: 'thing.change' }, async (tx) => {
          await tx.insertInto('setting').values({ name: 'changed', value: '1' }).execute();
          if (body.fail) throw refuse('changedMeanwhile');
          return 'done';
        }),
      { rules: 'none' },
    ),
    bind(broken, () => {
      throw new Error('SELECT secret FROM /etc/passwd');
    }),
    bind(slow, () => {
      throw Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
    }),
    bind(download, () => ({ name: '灯 "1".csv', type: 'text/csv', content: Buffer.from('x') })),
  ];
  const app = await testApp({
    routes: () => [...routes, ...apiDocsRoutes(routes, { demo: false })],
    logLevel: 'silent',
    consoleFolder: folder,
    config: { allowedOrigins: ['https://other.example'], trustedProxies: ['10.0.0.1'] },
  });
  const { token: weak } = await app.signIn({ username: 'weak' });
  const { token: scoped } = await app.signIn({
    username: 'scoped',
    permissions: ['lamp.control', 'lamp.monitor'],
    workAreas: [1],
  });
  const good = { name: 'lamp' };
  const en = { 'accept-language': 'en' };

  return { ours, fixed, listed, one, limited, changing, crossing, broken, routes, app, weak, scoped, good, en };
}
