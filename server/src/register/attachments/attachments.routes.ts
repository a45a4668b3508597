import {
  addAttachment,
  deleteAttachment,
  getAttachmentFile,
  getAttachmentThumbnail,
  listAttachments,
  updateAttachment,
} from '../../../../contract/register/attachments.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import type { Attachments } from './attachments.service.ts';

export const attachmentsRoutes = (attachments: Attachments): Binding[] => [
  bind(listAttachments, ({ params, query }, ctx) => attachments.list(ctx, params.id, query)),
  bind(addAttachment, ({ params, query }, ctx) => attachments.add(ctx, params.id, query), { rules: 'none' }),
  bind(updateAttachment, ({ params, body }, ctx) => attachments.update(ctx, params.id, body), { rules: 'none' }),
  bind(deleteAttachment, ({ params }, ctx) => attachments.remove(ctx, params.id)),
  bind(getAttachmentFile, ({ params }, ctx) => attachments.file(ctx, params.id)),
  bind(getAttachmentThumbnail, ({ params }, ctx) => attachments.thumbnail(ctx, params.id)),
];
