import { Type } from 'typebox';
import { IdParams, Nullable, Timestamp, Version, route, csv, xlsx } from '../route.ts';

/**
 * Photographs and other files of devices. The bytes of a file decide its type. Photographs are encoded again and lose
 * the camera's metadata.
 */

/** Limits: files of one device, bytes of one file. */
export const mostAttachments = 50;
export const mostAttachmentBytes = 20 * 1024 * 1024;
export const photoTypes = ['jpeg', 'png', 'webp'] as const;
export const documentTypes = ['pdf', 'xlsx', 'docx', 'csv', 'txt', 'zip'] as const;

export const Attachment = Type.Object({
  id: Type.Integer(),
  device: Type.Object({ id: Type.Integer(), family: Type.String(), code: Type.String() }),
  kind: Type.Enum(['photo', 'document'] as const),
  type: Type.Enum([...photoTypes, ...documentTypes]),
  name: Type.String(),
  bytes: Type.Integer(),
  caption: Nullable(Type.String()),
  /** In pixels, for photographs. */
  width: Nullable(Type.Integer()),
  height: Nullable(Type.Integer()),
  /** From the camera's metadata: local time without a zone; the place only with `keepPosition`. */
  takenAt: Nullable(Type.String()),
  longitude: Nullable(Type.Number()),
  latitude: Nullable(Type.Number()),
  accountName: Type.String(),
  createTime: Timestamp,
  version: Type.Integer(),
});

const tag = 'attachments';
const Caption = Type.String({ maxLength: 200 });

export const listAttachments = route({
  method: 'GET',
  path: '/api/v1/devices/:id/attachments',
  tag,
  access: 'device.query',
  areaScoped: true,
  summary:
    'Photographs and files of a device, newest first; with `mounted`, also those of devices on the pole that the caller sees (at most 500).',
  params: IdParams,
  query: Type.Object({ mounted: Type.Optional(Type.Boolean()) }),
  reply: Type.Object({ data: Type.Array(Attachment), recordsTotal: Type.Integer() }),
});
export const addAttachment = route({
  method: 'POST',
  path: '/api/v1/devices/:id/attachments',
  limits: { bytes: mostAttachmentBytes, tooLarge: 'attachmentTooLarge' },
  tag,
  dryRun: 'keeps a file',
  access: 'device.edit',
  action: 'device.attachment.add',
  areaScoped: true,
  status: 201,
  encoding: 'bytes',
  summary:
    'Takes a file (application/octet-stream, at most 20 MB, 50 per device): jpeg, png, webp, pdf, xlsx, docx, csv, txt or zip, judged by its bytes.',
  params: IdParams,
  query: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 200 }),
    caption: Type.Optional(Caption),
    /** Keeps the place where a photograph was taken. */
    keepPosition: Type.Optional(Type.Boolean()),
  }),
  reply: Attachment,
});
export const updateAttachment = route({
  method: 'PUT',
  path: '/api/v1/attachments/:id',
  tag,
  dryRun: 'changes the words of a file',
  access: 'device.edit',
  action: 'device.attachment.update',
  areaScoped: true,
  summary: 'Changes the name or the caption of a file; null empties the caption.',
  params: IdParams,
  body: Type.Object({
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    caption: Type.Optional(Nullable(Caption)),
    version: Type.Optional(Version),
  }),
  reply: Attachment,
});
export const deleteAttachment = route({
  method: 'DELETE',
  path: '/api/v1/attachments/:id',
  tag,
  dryRun: 'takes away a file',
  access: 'device.edit',
  action: 'device.attachment.delete',
  areaScoped: true,
  status: 204,
  summary: 'Deletes a file of a device.',
  params: IdParams,
  reply: Type.Null(),
  replyKind: 'empty',
});
export const getAttachmentFile = route({
  method: 'GET',
  path: '/api/v1/attachments/:id/file',
  tag,
  access: 'device.query',
  areaScoped: true,
  replyKind: 'file',
  sends: [
    'image/jpeg',
    'image/png',
    'image/webp',
    'application/pdf',
    xlsx,
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    csv,
    'text/plain',
    'application/zip',
  ],
  summary: 'The file itself.',
  params: IdParams,
  reply: Type.Unknown(),
});
export const getAttachmentThumbnail = route({
  method: 'GET',
  path: '/api/v1/attachments/:id/thumbnail',
  tag,
  access: 'device.query',
  areaScoped: true,
  replyKind: 'file',
  sends: ['image/jpeg'],
  summary: 'A photograph as a small JPEG, at most 360 pixels wide and high.',
  params: IdParams,
  reply: Type.Unknown(),
});
