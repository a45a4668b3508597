export { countingOf, type Counting } from './counts.store.ts';
export { publicationExportTasks, type ListExportParts } from './export-task.ts';
export { publicationMetrics } from './metrics.ts';
export { publicationsRoutes } from './publications.routes.ts';
export { createPublishing, type Making } from './publishing.service.ts';
export { lampsOf, seenScope, type KeptScope } from './scope.ts';
export { findLamps, findScopeParts, type Lamp } from './publications.store.ts';
export { holidayFindings } from './assess.ts';
<<<<<<< HEAD
export { namedFindings } from './found.ts';
export { plansOfEach, plansWithAreas } from './lamp-plans.ts';
export { paceBy, readAtStep, shownBy, stepOf, tolerance, type Pace, type Step } from './proving.rules.ts';
=======
export { createComparison, isDarkerOn } from './darkness.ts';
export { judgeFloors } from './floors.ts';
export { calendarOf } from './kinds-of-days.ts';
export { isOfLamp, plansOfEach, plansWithAreas } from './lamp-plans.ts';
export { readAtStep, shownBy, stepOf, tolerance, type Pace, type Step } from './proving.rules.ts';
>>>>>>> weigh
export { findReadings, type Seen } from './proving.store.ts';
export { approvalOf, wordsOf } from './reading.service.ts';
export { outcomeIn, type PartOf } from './reading.store.ts';
export { hashesOf, refuseOther, type RequestHashes } from './request.ts';
export { rehash } from './rehash.store.ts';
export { addBegun, addTold } from './seeding.ts';
export { createSteps, type Steps, type StepsParts } from './steps.ts';
