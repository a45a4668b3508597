export { createDemo, type Demo } from './demo.service.ts';
export { demoRoutes } from './demo.routes.ts';
export { handoverFile } from './handover-file.ts';
export { startSimulator, type RunningSimulator } from './simulator-process.ts';
