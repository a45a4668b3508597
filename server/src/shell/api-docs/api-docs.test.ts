import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { families, records, validate, type Values } from '../../../../catalogue/index.ts';
import { refuseWithout } from '../../platform/http/index.ts';
import { problemOf } from '../../platform/http/problems.ts';
import { testApp } from '../../testing/app.ts';
import { apiDocsRoutes } from './index.ts';

const site = await testApp({ routes: () => apiDocsRoutes([], { demo: false }) });
const demo = await testApp({ routes: () => apiDocsRoutes([], { demo: true }) });

test.each(['/api/openapi.json', '/api/docs'])(
  '%s is public in the demonstration, for signed-in accounts otherwise',
  async (path) => {
    expect((await demo.call(path, { token: null })).status).toBe(200);
    expect((await site.call(path, { token: null })).status).toBe(401);
    expect((await site.call(path)).status).toBe(200);
  },
);

test('opened in a browser, the page says that one must sign in; it tells nothing itself', async () => {
  const { status, body } = await site.call<string>('/api/docs', {
    token: null,
    headers: { 'sec-fetch-mode': 'navigate' },
  });
  expect(status).toBe(200);
  expect(body).not.toContain('/api/v1/');
});

const { paths, components, tags } = (await demo.call<Described>('/api/openapi.json', { token: null })).body;
interface Form {
  readonly properties?: Record<string, unknown>;
  readonly required: readonly string[];
}
interface Described {
  readonly paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
  readonly components: { readonly schemas: Record<string, Form> };
  readonly tags: readonly { name: string; description?: string }[];
}
test('the problem body of a missing right has its codes as a list, and the document declares every member', () => {
  const body = problemOf(refuseWithout('lamp.control', 'lamp.emergency'), 'en-US', '/api/v1/commands', '1');
  expect(body).toMatchObject({ permissions: ['lamp.control', 'lamp.emergency'] });
  expect(Object.keys(components.schemas['Problem']?.properties ?? {})).toEqual(
    expect.arrayContaining(Object.keys(body)),
  );
});

const ajv = new Ajv2020({ strict: false, schemas: [{ $id: 'api', components }] });
addFormats.default(ajv);
const fits = (name: string) => ajv.compile({ $ref: `api#/components/schemas/${name}` });
const pascal = (key: string) =>
  key
    .split('-')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
const without = (values: Values, key: string): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => name !== key));

test.each([...families, ...records].map((declared) => ({ key: declared.key, declared })))(
  'the form of a new $key says what is needed, and what fits it is taken',
  ({ key, declared }) => {
    const name = `New${pascal(key)}`;
    const own = families.some((family) => family.key === key) ? { family: key } : {};
    for (const example of declared.examples)
      expect([fits(name)({ ...own, ...example }), ajv.errorsText()]).toEqual([true, 'No errors']);
    const [example = {}] = declared.examples;
    const needed = (components.schemas[name]?.required ?? []).filter((field) => field !== 'family');
    const refusedFor = (values: Values) => {
      const result = validate({ ...declared, rules: [] }, values, 'create');
      return 'problems' in result ? result.problems.map(({ field, rule }) => `${field} ${rule}`) : [];
    };
    const least = Object.fromEntries(needed.map((field) => [field, example[field] ?? null]));
    expect(refusedFor(least)).toEqual([]);
    for (const field of needed) expect(refusedFor(without(least, field))).toEqual([`${field} required`]);
  },
);

test('forms that lack something, or say something unknown, do not fit', () => {
  expect([
    fits('NewDevice')({ family: 'lamp-pole' }),
    fits('NewDevice')({ family: 'none' }),
    fits('LampPoleChanges')({ nothing: 1 }),
    fits('LampPoleChanges')({ version: 1, equipmentName: 'x' }),
  ]).toEqual([false, false, false, true]);
});

test('every tag is described, and every call names its refusals', () => {
  expect(tags.filter(({ description }) => !description)).toEqual([]);
  expect(
    Object.values(paths)
      .flatMap(Object.values)
      .map((operation: { responses: object }) =>
        Object.keys(operation.responses).some((status) => status.startsWith('4')),
      ),
  ).not.toContain(false);
});
