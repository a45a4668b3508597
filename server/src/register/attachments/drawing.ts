import { Worker } from 'node:worker_threads';
import type { Photo } from '../../platform/photos.ts';
import type { PhotoOrder } from './photo-order.ts';

export type Draw = (order: PhotoOrder) => Promise<Photo | null>;

/** Draws photographs in a thread, one after the other: each may need 300 MB for a moment. null: it is none. */
export function photoDrawing(file: URL): Draw {
  let last: Promise<unknown> = Promise.resolve();
  return (order) => {
    const drawn = last.then(() => draw(file, order));
    last = drawn.catch(() => undefined);
    return drawn;
  };
}

function draw(file: URL, order: PhotoOrder): Promise<Photo | null> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(file, {
      workerData: order,
      execArgv: [],
      name: 'photo',
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the thread that draws a photograph ended without one')));
  });
}
