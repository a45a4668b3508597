import type { Feature } from '../../feature.ts';
import type { Floor } from '../../floor.ts';
import { attachmentsRoutes } from './attachments.routes.ts';
import { createAttachments } from './attachments.service.ts';
import { photoDrawing } from './drawing.ts';
import { startFileSweep } from './sweep.ts';

export const attachmentsFeature = ({ answering, db, bus, clock, watch, files, log }: Floor): Feature => ({
  routes: attachmentsRoutes(
    createAttachments({
      db: answering,
      bus,
      clock,
      files,
      draw: photoDrawing(new URL('../../photo-worker.ts', import.meta.url)),
    }),
  ),
  jobs: [
    {
      name: 'file sweep',
      where: 'one process',
      start: () => startFileSweep({ db, clock: watch.jobs.named('files'), files, log }),
    },
  ],
});
