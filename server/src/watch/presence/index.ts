export { createJudging } from './judging.ts';
export { lateReports } from './reach.ts';
