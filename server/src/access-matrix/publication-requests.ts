import { findingCodes, findingSeverities } from '../../../catalogue/lighting/plan/findings.ts';
import { usualSchedule } from '../../../catalogue/lighting/plan/schedule.ts';
import { byId, type Asks } from './ask.ts';

/** Everything that a plan may be warned of. */
const accepted = findingCodes.filter((code) => findingSeverities[code] === 'warning');
/** Some hours of tomorrow at half the light. */
const tomorrow = () => {
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  return { from: at(24), to: at(26), op: 'min', level: 50 };
};
export const publications: Asks = {
  'POST /api/v1/plan-exceptions/preview': async (things) => ({
    body: { ...tomorrow(), scope: { deviceIds: [await things.placedLamp()] } },
  }),
  'POST /api/v1/plan-exceptions': async (things) => ({
    body: { ...tomorrow(), scope: { deviceIds: [await things.placedLamp()] }, reason: '路灯检修施工' },
  }),
  'POST /api/v1/plan-exception-exports': () => ({ body: { format: 'xlsx' } }),
  'GET /api/v1/plan-exceptions/:id': byId((things) => things.exception('planned')),
  'POST /api/v1/plan-exceptions/:id/decide': byId((things) => things.exception('awaitingApproval'), {
    body: { approved: false, digest: 'x', reason: 'x' },
  }),
  'POST /api/v1/plan-exceptions/:id/cancel': byId((things) => things.exception('planned'), { body: { reason: 'x' } }),
  'POST /api/v1/publications/preview': async (things) => ({
    body: { schemeId: await things.scheme(true), scope: { deviceIds: [await things.placedLamp()] } },
  }),
  'POST /api/v1/publications': async (things) => ({
    body: {
      schemeId: await things.scheme(true),
      scope: { deviceIds: [await things.placedLamp()] },
      acceptedFindings: accepted,
      reason: 'x',
    },
  }),
  'POST /api/v1/publication-exports': () => ({ body: { format: 'csv' } }),
  'POST /api/v1/publication-lamp-exports': async (things) => ({
    body: { format: 'xlsx', publicationId: await things.publication('judging') },
  }),
  'POST /api/v1/schedules/preview': async (things) => ({
    body: { schedule: usualSchedule, scope: { deviceIds: [await things.placedLamp()] } },
  }),
  'POST /api/v1/schedules': async (things) => ({
    body: {
      schedule: usualSchedule,
      scope: { deviceIds: [await things.placedLamp()] },
      acceptedFindings: accepted,
      reason: 'x',
    },
  }),
  'GET /api/v1/lamps/:id/schedule': byId((things) => things.placedLamp()),
  'POST /api/v1/lamp-places/preview': async (things) => ({
    body: { scope: { deviceIds: [await things.placedLamp()] }, source: 'given', latitude: 31.2, longitude: 121.4 },
  }),
  'PUT /api/v1/lamp-places': async (things) => ({
    body: { scope: { deviceIds: [await things.placedLamp()] }, source: 'given', latitude: 31.2, longitude: 121.4 },
  }),
  'GET /api/v1/publications/:id': byId((things) => things.publication('judging')),
  'GET /api/v1/publications/:id/roads': byId((things) => things.publication('judging')),
  'POST /api/v1/publications/:id/decide': byId((things) => things.publication('awaitingApproval'), {
    body: { approved: true },
  }),
  'POST /api/v1/publications/:id/resume': byId((things) => things.publication('judging'), { body: {} }),
  'POST /api/v1/publications/:id/halt': byId((things) => things.publication('judging'), { body: { reason: 'x' } }),
  'POST /api/v1/publications/:id/revert': byId((things) => things.publication('judging'), { body: { reason: 'x' } }),
  'POST /api/v1/publications/:id/cancel': byId((things) => things.publication('awaitingApproval'), {
    body: { reason: 'x' },
  }),
};
