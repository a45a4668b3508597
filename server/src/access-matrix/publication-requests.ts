import { byId, type Asks } from './ask.ts';

/** Everything that a plan may be warned of. */
const accepted = [
  'darker',
  'unknownHolidays',
  'floorException',
  'periodNeverReached',
  'nightWithoutLight',
  'withdrawn',
];
export const publications: Asks = {
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
  'GET /api/v1/publications/:id': byId((things) => things.publication('judging')),
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
