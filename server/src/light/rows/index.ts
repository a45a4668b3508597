export { rowsAround, type RowPlace } from './neighbours.store.ts';
export { holdRows, orderRoad } from './ordering.ts';
export { rolesOf } from './roles.store.ts';
export { poleFamily } from './rows.store.ts';
export type { WeighRows } from './rows.service.ts';
