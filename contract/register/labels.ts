import { Type } from 'typebox';
import { Id, route } from '../route.ts';

/** Limit of labels in one file. */
export const mostLabels = 1_000;

export const printLabels = route({
  method: 'POST',
  path: '/api/v1/labels',
  refuses: ['notFound'],
  tag: 'devices',
  dryRun: 'changes nothing',
  access: 'device.query',
  areaScoped: true,
  inPreview: true,
  // Nothing changes, and an account that sees a device may print its label.
  logged: false,
  replyKind: 'file',
  sends: ['application/pdf'],
  summary:
    'Labels of poles and devices as PDF, A4 with 3 × 8 of 70 × 37 mm, in order of code: QR code of the page’s address on this server, code, name, work area.',
  body: Type.Object({ ids: Type.Array(Id, { minItems: 1, maxItems: mostLabels }) }),
  reply: Type.Unknown(),
});
