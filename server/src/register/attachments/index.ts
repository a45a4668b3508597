export { attachmentsRoutes } from './attachments.routes.ts';
export { createAttachments } from './attachments.service.ts';
export { photoDrawing } from './drawing.ts';
