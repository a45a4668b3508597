export { createJudging } from './judging.ts';
export { createLamps } from './lamps.service.ts';
export { lampsRoutes } from './lamps.routes.ts';
export { findDeltas, type Condition } from './lamps.store.ts';
export { loadCurves, type LearnedCurves } from './learned-curves.ts';
export { lateReports, type Periods } from './reach.ts';
export { areaPlan, type AreaPlan } from './plan-view.ts';
export { defaultThresholds, type Thresholds } from './thresholds.ts';
