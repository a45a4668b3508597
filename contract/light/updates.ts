/**
 * Calls that change what lamps do, by their paths: commands, exceptions, publications, time tables and places of
 * lamps, and what is decided about them.
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
]);
