import { usualSchedule } from '../../../catalogue/lighting/plan/schedule.ts';
import { exampleScheme, exampleTemplate } from '../../../catalogue/lighting/plan/examples.ts';
import { fileOfVersion } from './plan-file.ts';
import { fresh } from './small-things.ts';
import type { WrongForms } from './wrong-form.ts';

const nowhere = 999_999_999;

/** Those of plans, publications, exceptions and schedules. */
export const planForms: WrongForms = {
  'POST /api/v1/publications/preview': () => ({
    body: { scope: { workAreaId: 'x' }, effectiveFrom: '2020-01-01' },
    names: ['effectiveFrom minimum', 'schemeId required', 'scope.workAreaId type'],
  }),
  'POST /api/v1/publications': async (things) => ({
    body: {
      scope: { deviceIds: [await things.device()] },
      effectiveFrom: '9999-12-31',
      canary: {},
      goOn: 'x',
      more: 1,
    },
    names: ['canary.count required', 'effectiveFrom maximum', 'goOn type', 'more unknownField', 'schemeId required'],
  }),
  'POST /api/v1/publications/:id/decide': async (things) => ({
    path: { id: await things.publication('awaitingApproval') },
    body: { approved: false, more: 1 },
    names: ['more unknownField', 'reason required'],
  }),
  'POST /api/v1/schedules/preview': () => ({
    body: { scope: {}, schedule: { ...usualSchedule, sensitivity: 256, lux: null }, more: 1 },
    names: ['more unknownField', 'schedule.lux complete', 'schedule.sensitivity range', 'scope noRecord'],
  }),
  'POST /api/v1/schedules': () => ({
    body: { scope: { deviceIds: [] }, schedule: { ...usualSchedule, workMode: 'manual' }, requestId: 'x' },
    names: ['requestId format', 'schedule.endTime timeEmpty', 'schedule.startTime timeEmpty', 'scope noRecord'],
  }),
  'POST /api/v1/lamp-places/preview': () => ({
    body: { scope: {}, source: 'given', latitude: 91, longitude: null, more: 1 },
    names: ['latitude coordinates', 'longitude coordinates', 'more unknownField', 'scope noRecord'],
  }),
  'PUT /api/v1/lamp-places': () => ({
    body: { scope: {}, source: 'given', latitude: 'x' },
    names: ['latitude type', 'longitude coordinates', 'scope noRecord'],
  }),
  'POST /api/v1/plan-exceptions/preview': () => ({
    body: { scope: { workAreaId: 'x' }, fromDay: '2020-01-01', from: '2020-01-01T00:00:00Z', op: 'min', level: 101 },
    names: ['from invalid', 'fromDay minimum', 'level maximum', 'scope.workAreaId type', 'toDay required'],
  }),
  'POST /api/v1/plan-exceptions': async (things) => ({
    body: {
      scope: { deviceIds: [await things.device()] },
      from: '2020-01-01T00:00:00Z',
      to: '9999-01-01T00:00:00Z',
      programme: 1,
      schemeId: 'x',
      reason: '    x',
      more: 1,
    },
    names: [
      'from minimum',
      'more unknownField',
      'programme invalid',
      'reason minLength',
      'schemeId type',
      'to maximum',
    ],
  }),
  'POST /api/v1/plan-exceptions/:id/decide': async (things) => ({
    path: { id: await things.exception('awaitingApproval') },
    body: { approved: false, more: 1 },
    names: ['digest required', 'more unknownField', 'reason required'],
  }),
  'PUT /api/v1/rows/:roadId': async (things) => {
    const { roadId, pole } = await things.rowRoad();
    return {
      path: { roadId },
      body: { version: 'x', rows: [{ side: 'left', poleIds: [pole, pole] }], keep: [nowhere] },
      names: ['keep.0 notInRow', 'rows.0.poleIds.1 poleTwice', 'version type'],
    };
  },
  'POST /api/v1/schemes': () => ({
    body: { code: '?', name: 'matrix', workAreaId: 'x', more: 1 },
    names: ['code code', 'more unknownField', 'workAreaId type'],
  }),
  'PUT /api/v1/schemes/:id': async (things) => ({
    path: { id: await things.scheme() },
    body: { code: '?', version: 'x' },
    names: ['code code', 'version type'],
  }),
  'PUT /api/v1/schemes/:id/draft': async (things) => ({
    path: { id: await things.scheme() },
    body: { version: 'x', content: { ...exampleScheme(), mode: 'disco' } },
    names: ['content.mode option', 'version type'],
  }),
  'POST /api/v1/plan-simulations': async (things) => ({
    body: {
      scope: { roadIds: [] },
      from: '2026-02-30',
      to: '2026-11-26',
      b: { schemeId: await things.scheme() },
      pricePerKwh: -1,
    },
    names: ['from invalid', 'pricePerKwh minimum', 'scope.roadIds minItems'],
  }),
  'POST /api/v1/scheme-imports': () => ({
    body: {
      workAreaId: nowhere,
      file: { ...fileOfVersion('lampyris-scheme/1', fresh('F'), exampleScheme()), number: 0 },
      more: 1,
    },
    names: ['file.number range', 'more unknownField', 'workAreaId notFound'],
  }),
  'POST /api/v1/work-parameter-templates': () => ({
    body: { code: '?', name: 'matrix', workAreaId: 'x', more: 1 },
    names: ['code code', 'more unknownField', 'workAreaId type'],
  }),
  'PUT /api/v1/work-parameter-templates/:id': async (things) => ({
    path: { id: await things.template() },
    body: { code: '?', version: 'x' },
    names: ['code code', 'version type'],
  }),
  'PUT /api/v1/work-parameter-templates/:id/draft': async (things) => ({
    path: { id: await things.template() },
    body: { version: 'x', content: { ...exampleTemplate(), minLevel: 51 } },
    names: ['content.minLevel range', 'version type'],
  }),
  'POST /api/v1/template-imports': () => ({
    body: {
      workAreaId: nowhere,
      file: { ...fileOfVersion('lampyris-template/1', fresh('F'), exampleTemplate()), number: 0 },
      more: 1,
    },
    names: ['file.number range', 'more unknownField', 'workAreaId notFound'],
  }),
};
