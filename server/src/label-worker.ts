import { parentPort, workerData } from 'node:worker_threads';
import { drawLabels } from './features/labels/label-sheet.ts';
import type { LabelOrder } from './features/labels/label.ts';

/** The thread that draws one file of labels: a thousand of them keep nobody waiting. */
parentPort?.postMessage(drawLabels(workerData as LabelOrder), []);
