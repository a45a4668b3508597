import { Type } from 'typebox';
import { Id, route } from '../route.ts';

/** So many labels are one sheet file at most. */
export const mostLabels = 1_000;

export const printLabels = route({
  method: 'POST',
  path: '/api/v1/labels',
  refuses: ['notFound'],
  tag: 'devices',
  access: 'device.query',
  areaScoped: true,
  inPreview: true,
  // Nothing changes: who may see a device may print what leads to it.
  logged: false,
  replyKind: 'file',
  sends: ['application/pdf'],
  summary:
    'Labels of poles and devices as PDF, A4 with 3 × 8 of 70 × 37 mm, in order of code: QR code of the page’s address on this server, code, name, work area.',
  body: Type.Object({ ids: Type.Array(Id, { minItems: 1, maxItems: mostLabels }) }),
  reply: Type.Unknown(),
});
