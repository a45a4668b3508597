/**
 * Calls that change what lamps do, by their paths: commands, exceptions, publications, time tables and places of
 * lamps, what is decided about them, rows by which patterns go, holidays by which calendars go, devices, whose place is
 * that of their sun, records, as work areas say the time by which lamps go, and the evening of the demonstration.
 * Six seconds after one succeeded a page fetches again, as specified, whatever the live line said before.
 */
export const lightingUpdates: ReadonlySet<string> = new Set([
  '/api/v1/commands',
  '/api/v1/commands/:id/retry',
  '/api/v1/commands/:id/verify',
  '/api/v1/commands/:id/cancel',
  '/api/v1/commands/:id/resume',
  '/api/v1/commands/:id/approval',
  '/api/v1/plan-exceptions',
  '/api/v1/plan-exceptions/:id/decide',
  '/api/v1/plan-exceptions/:id/cancel',
  '/api/v1/publications',
  '/api/v1/publications/:id/decide',
  '/api/v1/publications/:id/resume',
  '/api/v1/publications/:id/halt',
  '/api/v1/publications/:id/revert',
  '/api/v1/publications/:id/cancel',
  '/api/v1/schedules',
  '/api/v1/lamp-places',
  '/api/v1/rows/:roadId',
  '/api/v1/rows/:roadId/order',
  '/api/v1/holiday-imports',
  '/api/v1/devices/:id',
  '/api/v1/records/:record/:id',
  '/api/v1/demo/evening',
  '/api/v1/demo/end-evening',
]);

/**
 * Live topics that say that the server itself took a step: the first part of a publication passed, it is taken back, an
 * exception began. Pages that listen fetch again at once, and six seconds later.
 */
export const lightingSteps: ReadonlySet<string> = new Set(['publications', 'plans']);
