import { exampleScheme, exampleTemplate } from '../../../catalogue/lighting/plan/examples.ts';
import { byId, type Asks } from './ask.ts';
import { fileOfVersion } from './plan-file.ts';
import { fresh } from './small-things.ts';

/** Templates, schemes, their versions and what reads them. */
export const plans: Asks = {
  'POST /api/v1/schemes': async (things) => ({
    body: { code: fresh('P'), name: 'matrix', workAreaId: await things.area() },
  }),
  'GET /api/v1/schemes/:id': byId((things) => things.scheme()),
  'PUT /api/v1/schemes/:id': byId((things) => things.scheme(), { body: { version: 1, name: 'other' } }),
  'DELETE /api/v1/schemes/:id': byId((things) => things.scheme()),
  'PUT /api/v1/schemes/:id/draft': byId((things) => things.scheme(), {
    body: { version: 1, content: exampleScheme() },
  }),
  'DELETE /api/v1/schemes/:id/draft': byId((things) => things.scheme(), { query: { version: 1 } }),
  'POST /api/v1/schemes/:id/versions': byId((things) => things.scheme(), { body: { version: 1 } }),
  'GET /api/v1/schemes/:id/places': byId((things) => things.scheme()),
  'GET /api/v1/schemes/:id/versions': byId((things) => things.scheme()),
  'GET /api/v1/schemes/:id/versions/:number': async (things) => ({
    path: { id: await things.scheme(true), number: 1 },
  }),
  'GET /api/v1/schemes/:id/versions/:number/file': async (things) => ({
    path: { id: await things.scheme(true), number: 1 },
  }),
  'GET /api/v1/schemes/:id/versions/:number/calendar-file': async (things) => ({
    path: { id: await things.scheme(true), number: 1 },
  }),
  'GET /api/v1/schemes/:id/versions/:number/periods-file': async (things) => ({
    path: { id: await things.scheme(true), number: 1 },
  }),
  'POST /api/v1/schemes/:id/withdraw': byId((things) => things.scheme(), { body: { version: 1 } }),
  'POST /api/v1/schemes/:id/restore': byId((things) => things.scheme(), { body: { version: 1 } }),
  'POST /api/v1/plan-simulations': async (things) => ({
    body: {
      scope: { deviceIds: [await things.placedLamp()] },
      from: '2026-11-25',
      to: '2026-11-26',
      b: { schemeId: await things.scheme() },
    },
  }),
  'GET /api/v1/plan-simulations/:id': byId((things) => things.simulation()),
  'GET /api/v1/plan-simulations/:id/findings/:place/lamps': async (things) => ({
    path: { id: await things.simulation(true), place: 0 },
  }),
  'POST /api/v1/plan-simulation-exports': async (things) => ({ body: { simulationId: await things.simulation(true) } }),
  'GET /api/v1/plan-nights/:day': async (things) => ({ path: { day: await things.night() } }),
  'GET /api/v1/plan-nights/:day/lamps': async (things) => ({ path: { day: await things.night() } }),
  'POST /api/v1/plan-night-exports': async (things) => ({ body: { day: await things.night() } }),
  'POST /api/v1/scheme-imports': async (things) => ({
    body: { workAreaId: await things.area(), file: fileOfVersion('lampyris-scheme/1', fresh('F'), exampleScheme()) },
  }),
  'POST /api/v1/work-parameter-templates': async (things) => ({
    body: { code: fresh('P'), name: 'matrix', workAreaId: await things.area() },
  }),
  'GET /api/v1/work-parameter-templates/:id': byId((things) => things.template()),
  'PUT /api/v1/work-parameter-templates/:id': byId((things) => things.template(), {
    body: { version: 1, name: 'other' },
  }),
  'DELETE /api/v1/work-parameter-templates/:id': byId((things) => things.template()),
  'PUT /api/v1/work-parameter-templates/:id/draft': byId((things) => things.template(), {
    body: { version: 1, content: exampleTemplate() },
  }),
  'DELETE /api/v1/work-parameter-templates/:id/draft': byId((things) => things.template(), { query: { version: 1 } }),
  'POST /api/v1/work-parameter-templates/:id/versions': byId((things) => things.template(), { body: { version: 1 } }),
  'GET /api/v1/work-parameter-templates/:id/versions': byId((things) => things.template()),
  'GET /api/v1/work-parameter-templates/:id/versions/:number': async (things) => ({
    path: { id: await things.template(true), number: 1 },
  }),
  'GET /api/v1/work-parameter-templates/:id/versions/:number/file': async (things) => ({
    path: { id: await things.template(true), number: 1 },
  }),
  'POST /api/v1/work-parameter-templates/:id/retire': byId((things) => things.template(), { body: { version: 1 } }),
  'POST /api/v1/work-parameter-templates/:id/restore': byId((things) => things.template(), { body: { version: 1 } }),
  'POST /api/v1/template-imports': async (things) => ({
    body: {
      workAreaId: await things.area(),
      file: fileOfVersion('lampyris-template/1', fresh('F'), exampleTemplate()),
    },
  }),
};
