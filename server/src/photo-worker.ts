import { Buffer } from 'node:buffer';
import { parentPort, workerData } from 'node:worker_threads';
import { drawPhoto } from './platform/photos.ts';
import type { PhotoOrder } from './register/attachments/photo-order.ts';

/** The thread that draws one photograph again: a picture of 40 million pixels keeps nobody waiting. */
const { bytes, type } = workerData as PhotoOrder;
parentPort?.postMessage((await drawPhoto(Buffer.from(bytes), type)) ?? null, []);
