import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import type { getTemplate, getTemplateVersion } from '../../../../contract/light/templates.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { testApp } from '../../testing/app.ts';
import { exampleTemplate } from '../../../../catalogue/lighting/plan/examples.ts';
import { templatesRoutes } from './index.ts';

const app = await testApp({ routes: templatesRoutes });
const { signIn, db } = app;
const codes = ['plan.query', 'plan.template'];
const { token: planner } = await signIn({ username: 'chief', level: 0, permissions: codes });
const call: typeof app.call = (path, options = {}) => app.call(path, { token: planner, ...options });
type Template = ReplyOf<typeof getTemplate>;
type Version = ReplyOf<typeof getTemplateVersion>;
const path = '/api/v1/work-parameter-templates';
const named = (reply: { body: unknown }) =>
  (reply.body as { params: { field: string; rule: string }[] }).params
    .map(({ field, rule }) => `${field} ${rule}`)
    .toSorted();
const create = async (code: string) =>
  (await call<Template>(path, { body: { code, name: '主干道模板', workAreaId: 20 } })).body.id;
const save = (id: number, version: number, content: unknown) =>
  call<Template>(`${path}/${id}/draft`, { method: 'PUT', body: { version, content } });

beforeAll(async () => {
  await sql`INSERT INTO work_area (id, work_code, work_name) VALUES (20, 'E', '城东')`.execute(db);
});

test('a template is drafted, frozen, retired and restored, and goes through a file', async () => {
  const id = await create('T-1');
  expect((await save(id, 1, exampleTemplate())).body).toMatchObject({ version: 2, content: exampleTemplate() });
  const version = await call<Version>(`${path}/${id}/versions`, { body: { version: 2 } });
  expect(version).toMatchObject({ status: 201, body: { number: 1, content: exampleTemplate() } });
  const file = (await call<object>(`${path}/${id}/versions/1/file`)).body;
  expect(file).toMatchObject({ format: 'lampyris-template/1' });
  const taken = await call<Template>('/api/v1/template-imports', { body: { workAreaId: null, file } });
  expect(taken).toMatchObject({ status: 201, body: { workAreaId: null, state: 'draft', content: exampleTemplate() } });
  expect((await call(`${path}/${id}/retire`, { body: { version: 3 } })).body).toMatchObject({ state: 'retired' });
  expect((await call(`${path}?state=retired`)).body).toMatchObject({ recordsTotal: 1, data: [{ id }] });
  expect((await call(`${path}/${id}/restore`, { body: { version: 4 } })).body).toMatchObject({ state: 'frozen' });
});

test('every field beyond its limits is named at once', async () => {
  const id = await create('T-2');
  const refused = await save(id, 1, {
    ...exampleTemplate(),
    reportLitSeconds: 59,
    reportUnlitSeconds: 86_401,
    heartbeatSeconds: 'x',
    powerUpLevel: 101,
    fallbackMinutes: 4,
    minimumMinutes: 121,
    rampSeconds: 601,
    staggerSeconds: 31,
    minLevel: 51,
    light: { lux: 41, sensitivity: 256, delayMinutes: 31 },
    latitude: 91,
    longitude: -181,
    thresholds: { L105: 301, L112: 1, L999: 1 },
  });
  expect(named(refused)).toEqual(
    [
      'fallbackMinutes range',
      'heartbeatSeconds type',
      'latitude latitude',
      'light.delayMinutes range',
      'light.lux range',
      'light.sensitivity range',
      'longitude longitude',
      'minLevel range',
      'minimumMinutes range',
      'powerUpLevel range',
      'rampSeconds range',
      'reportLitSeconds range',
      'reportUnlitSeconds range',
      'staggerSeconds range',
      'thresholds.L105 range',
      'thresholds.L112 unknown',
      'thresholds.L999 unknown',
    ]
      .map((problem) => `content.${problem}`)
      .toSorted(),
  );
  expect(named(await save(id, 1, { ...exampleTemplate(), latitude: 30 }))).toEqual(['content.longitude together']);
  // What would be too high and too low at once.
  const limits = (thresholds: object) => save(id, 1, { ...exampleTemplate(), thresholds });
  expect(named(await limits({ L105: 190 }))).toEqual(['content.thresholds.L105 range']);
  expect(named(await limits({ L105: 250, L106: 251 }))).toEqual([
    'content.thresholds.L105 range',
    'content.thresholds.L106 range',
  ]);
  expect((await limits({ L105: 250, L106: 240 })).status).toBe(200);
  expect(named(await save(id, 2, {}))).toContain('content.fallbackProgramme required');
});

test('a template says whose controllers it sets: those of lamps, also where a version from before says nothing', async () => {
  const id = await create('T-4');
  expect((await save(id, 1, exampleTemplate())).body.family).toBe('single-lamp-controller');
  expect(named(await save(id, 2, { ...exampleTemplate(), family: 'time-controller' }))).toEqual([
    'content.family option',
  ]);
  const content = { ...exampleTemplate(), family: 'single-lamp-controller' };
  expect((await save(id, 2, content)).body).toMatchObject({ content, family: 'single-lamp-controller' });
  expect((await call(`${path}/${id}/versions`, { body: { version: 3 } })).status).toBe(201);
  const file = (await call<{ content: object }>(`${path}/${id}/versions/1/file`)).body;
  expect(file.content).toEqual(content);
  const taken = await call<Template>('/api/v1/template-imports', { body: { workAreaId: 20, code: 'T-5', file } });
  expect([taken.status, taken.body.content]).toEqual([201, content]);
  const schema = (
    await call<{ properties: { content: { required: string[]; properties: object } } }>('/api/v1/template-file-schema')
  ).body.properties.content;
  expect(schema.properties).toHaveProperty('family');
  expect(schema.required).not.toContain('family');
});

test('changes need their own permission, reading needs the one of schemes', async () => {
  const id = await create('T-3');
  const { token } = await signIn({ username: 'planner', permissions: ['plan.query', 'plan.edit'], workAreas: [20] });
  expect((await call<Template>(`${path}/${id}`, { token })).body.editable).toBe(false);
  expect((await call(`${path}/${id}`, { token, method: 'DELETE' })).status).toBe(403);
});
