import {
  createSavedView,
  deleteSavedView,
  listSavedViews,
  orderSavedViews,
  startWithSavedView,
  updateSavedView,
} from '../../../../contract/people/saved-views.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import type { SavedViews } from './saved-views.service.ts';

export const savedViewsRoutes = (views: SavedViews): Binding[] => [
  bind(listSavedViews, ({ query: { list } }, { caller }) => views.list(caller, list)),
  bind(createSavedView, ({ body }, { caller, change }) => views.create(caller, change, body), {
    rules: ({ body = {} }, { caller }) => views.newProblems(caller, body),
  }),
  bind(orderSavedViews, ({ body }, { caller }) => views.order(caller, body), { rules: 'none' }),
  bind(updateSavedView, ({ params: { id }, body }, { caller, change }) => views.update(caller, change, id, body), {
    rules: ({ params, body = {} }, { caller }) => views.problems(caller, params?.id, body),
  }),
  bind(deleteSavedView, ({ params: { id } }, { caller, change }) => views.remove(caller, change, id)),
  bind(startWithSavedView, ({ params: { id }, body }, { caller }) => views.start(caller, id, body.start), {
    rules: 'none',
  }),
];
