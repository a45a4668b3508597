/**
 * The texts of both pages, asked for together: a page that is shown does not disappear again until further words have
 * come.
 */
export const areas = [
  'devices',
  'curves',
  'lamp',
  'declared',
  'attachments',
  'topology',
  'connections',
  'episodes',
] as const;
