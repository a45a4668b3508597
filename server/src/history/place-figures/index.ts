import { listPlaceFigures } from '../../../../contract/history/place-figures.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import type { PlaceFiguresOf } from './place-figures.service.ts';

export { createPlaceFigures } from './place-figures.service.ts';

export const placeFiguresRoutes = (figures: PlaceFiguresOf): Binding[] => [
  bind(listPlaceFigures, ({ params, query }, { caller }) => figures.list(caller, params.place, query)),
];
