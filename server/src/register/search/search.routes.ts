import { search } from '../../../../contract/register/search.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import type { Search } from './search.service.ts';

export const searchRoutes = (found: Search): Binding[] => [
  bind(search, ({ query }, { caller }) => found.find(caller, query.q)),
];
