import { printLabels } from '../../../../contract/register/labels.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import type { Labels } from './labels.service.ts';

export { createLabels } from './labels.service.ts';

export const labelsRoutes = (labels: Labels): Binding[] => [
  bind(printLabels, ({ body }, ctx) => labels.print(ctx, body.ids), { rules: 'none' }),
];
