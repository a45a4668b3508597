import { parentPort, workerData } from 'node:worker_threads';
import { drawLabels } from './register/labels/label-sheet.ts';
import type { LabelOrder } from './register/labels/label.ts';

/** The thread that draws one file of labels: a thousand of them keep nobody waiting. */
parentPort?.postMessage(drawLabels(workerData as LabelOrder), []);
